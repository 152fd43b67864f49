import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../test/support/database/database.ts'
import { engines } from '../../test/support/engines.ts'
import { Listener } from '../../test/support/listener.ts'
import { sharedTestService } from '../../test/support/people.ts'
import { sharedReceiver } from '../../test/support/servers/receiver.ts'
import { action } from '../containers/action/action.ts'
import { sealTenant } from '../engine/audit-chain/audit-chain.ts'
import { verifyChain } from '../engine/audit-chain/verify-chain.ts'
import { purge } from '../engine/retention/retention-rules.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import { operator } from '../language/conditions/operators/operators.ts'
import { triggerEvent } from '../notify/trigger-event.ts'
import { trigger } from '../rules/rule/rule-codes.ts'

// The event of a new item does not repeat a long description. Nobody who reads the log may notice.

type Told = { recordId: string; type: string; changes: Record<string, { from?: unknown; to?: unknown }> }

describe('the first description of an item', async () => {
  const there = await sharedReceiver()
  const home = await sharedTestService(there.env)
  const { ada, database, databaseUrl, person } = home
  const running = await engines(home, there.env)
  const hook = await ada.post('/hook', { name: 'All', url: `${there.url}/all`, includePrevious: true })
  const text = (name: string) => `${name} ${'text of this description '.repeat(8)}`
  const [first, second, third] = [text('first'), text('second'), text('third')]
  const start = (await ada.get('/event?limit=1000')).at(-1).seq
  const from = new Date().toISOString()

  /** The events that leave out their description. */
  const shortened = async (id: string) =>
    await asOwner(
      databaseUrl,
      undefined,
      `select 1 from event where record_id = $1 and changes -> 'description' = '{}'`,
      [id],
    )

  /** Everything that is told about an item's events, in all ways. */
  async function told(id: string) {
    const history: Told[] = await ada.get(`/item/${id}/history`)
    const stream = await Listener.to(ada, '/event/stream', { 'last-event-id': start })
    const heard = () => stream.received.map(({ data }) => data).filter(({ recordId }) => recordId === id)
    await stream.until(() => heard().length >= history.length)
    stream.hangUp()
    await running.settle()
    there.got.length = 0
    await ada.post(`/hook/${hook.id}/redeliver`, { from })
    await running.settle()
    const { body } = await ada.ask('GET', '/tenant/export')
    const sets = new Set(history.map(each => Reflect.get(each, 'changeSetId')))
    return {
      history,
      ofProperty: await ada.get(`/item/${id}/history?property=description`),
      log: (await ada.get(`/event?after=${start}&limit=1000`)).filter((each: Told) => each.recordId === id),
      timeline: await ada.get(`/item/${id}/timeline`),
      changes: await Promise.all([...sets].map(set => ada.get(`/change/${set}`))),
      stream: heard(),
      hook: there.got
        .map(({ body }) => body)
        .filter(({ data }) => data.id === id)
        .sort((a, b) => (a.data.seq < b.data.seq ? -1 : 1)),
      exported: String(body)
        .split('\n')
        .filter(line => line.includes('"table":"event"') && line.includes(id)),
    }
  }
  const creationOf = (events: Told[]) => events.find(each => each.type === 'item.created')?.changes.description
  const proven = async () => {
    await sealTenant(database, ada.tenantId)
    return (await database.single(tenantCaller(ada.tenantId), ctx => verifyChain(ctx, []))).problems
  }

  test('is in all answers as if the event had it, also after it was changed, deleted, restored and undone', async () => {
    const item = await ada.post('/item', { title: 'Written', description: first })
    assert.equal((await shortened(item.id)).length, 1)
    assert.deepEqual(await proven(), [])
    const still = async () => assert.deepEqual(creationOf(await ada.get(`/item/${item.id}/history`)), { to: first })
    await still()
    await ada.put(`/item/${item.id}`, { title: 'Only the title' })
    await still()
    await ada.put(`/item/${item.id}`, { description: second })
    await still()
    const last = await ada.ask('PUT', `/item/${item.id}`, { body: { description: third } })
    await still()
    await ada.delete(`/item/${item.id}`)
    await ada.must('POST', `/item/${item.id}/restore`)
    await still()
    await ada.must('POST', `/change/${last.headers.get('change-set')}/undo`)
    assert.equal((await ada.get(`/item/${item.id}`)).description, second)
    const now = await told(item.id)
    for (const events of [now.history, now.log, now.stream]) assert.deepEqual(creationOf(events), { to: first })
    assert.equal(now.hook.find(each => each.type === 'item.created')?.data.changes.description, first)
    assert.ok(now.exported.some(line => line.includes(JSON.stringify(first))))
    assert.deepEqual(await proven(), [])
    // The same as with an event that repeats the text, as events did before.
    await asOwner(databaseUrl, undefined, 'update event e set changes = changes_of(e) where record_id = $1', [item.id])
    assert.equal((await shortened(item.id)).length, 0)
    assert.deepEqual(await told(item.id), now)
    assert.deepEqual(await proven(), [])
  })

  test('is what the first change replaced, in whatever order transactions have begun', async () => {
    const { id } = await ada.post('/item', { title: 'Contended', description: first })
    for (const description of [second, third]) await ada.put(`/item/${id}`, { description })
    await asOwner(
      databaseUrl,
      undefined,
      `update event e set xact = (select max(o.xact::text::bigint) + min(o.xact::text::bigint) - e.xact::text::bigint from event o where o.record_id = $1 and o.kind = 'item.updated')::text::xid8
        where e.record_id = $1 and e.kind = 'item.updated'`,
      [id],
    )
    const events: Told[] = await ada.get(`/item/${id}/history`)
    assert.deepEqual(
      events.filter(({ type }) => type === 'item.updated').map(({ changes }) => changes.description?.to),
      [third, second],
    )
    assert.deepEqual(creationOf(events), { to: first })
  })

  test('is compared by rules, and short ones are in the event itself', async () => {
    await ada.post('/rule', {
      name: 'Needles',
      active: true,
      trigger: trigger.event,
      triggerEvent: triggerEvent['item.created'],
      conditionGroup: [
        { condition: [{ leftSide: 'change.description.to', operator: operator.contains, rightSide: 'needle' }] },
      ],
      actionValue: [{ actionType: action.setField, field: 'priority', value: 4 }],
    })
    const made = []
    for (const description of [text('a needle'), text('hay'), 'a short needle'])
      made.push(await ada.post('/item', { title: 'Searched', description }))
    assert.equal((await shortened(made[2].id)).length, 0)
    await running.settle()
    const priorities = await Promise.all(made.map(async ({ id }) => (await ada.get(`/item/${id}`)).priority))
    assert.deepEqual(priorities, [4, 0, 4])
  })

  test('stays in the log when the item is deleted for good', async () => {
    const { id } = await ada.post('/item', { title: 'Gone', description: first })
    await ada.delete(`/item/${id}`)
    assert.deepEqual(await proven(), [])
    await database.transaction(tenantCaller(ada.tenantId), ctx => purge(ctx, 'item', [id]))
    const left = `select changes -> 'description' ->> 'to' as text from event where record_id = $1 and kind = 'item.created'`
    assert.deepEqual(await asOwner(databaseUrl, undefined, left, [id]), [{ text: first }])
    assert.deepEqual(await proven(), [])
  })

  test('loses the address of an anonymised user in the log', async () => {
    const dan = await person({ name: 'Dan', email: 'dan@texts.example' })
    const made = []
    for (const change of [[], [second]]) {
      const { id } = await ada.post('/item', { title: 'Called', description: `Ask dan@texts.example. ${first}` })
      for (const description of change) await ada.put(`/item/${id}`, { description })
      made.push(id)
    }
    assert.deepEqual(await proven(), [])
    await ada.must('POST', `/user/${dan.id}/anonymise`)
    for (const id of made) {
      const history: Told[] = await ada.get(`/item/${id}/history`)
      assert.doesNotMatch(JSON.stringify(history), /dan@texts/)
      assert.match(String(creationOf(history)?.to), /first text of this description/)
    }
    assert.deepEqual(await proven(), [])
  })

  test('shows in the proof of the log when somebody changes it in the table', async () => {
    const { id } = await ada.post('/item', { title: 'Forged', description: first })
    assert.deepEqual(await proven(), [])
    const forge = (description: string) =>
      asOwner(databaseUrl, undefined, 'update item set description = $2 where id = $1', [id, description])
    await forge(second)
    assert.match(String(await proven()), /item.created \S+ of \S+ was changed/)
    await forge(first)
  })
})
