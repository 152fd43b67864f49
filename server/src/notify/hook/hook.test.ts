import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { sharedReceiver } from '../../../test/support/servers/receiver.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { deliver } from '../delivery/delivery.ts'
import { newSecret } from '../signature.ts'
import { triggerEvent } from '../trigger-event.ts'
import { recordHookOutcome } from './hook-health.ts'

describe('hooks', async () => {
  const there = await sharedReceiver()
  const home = await sharedTestService(there.env)
  const { ada, bob, eve, person, database } = home
  const running = await engines(home, there.env)
  let place = 0
  const secret = newSecret()

  beforeEach(async () => {
    for (const who of [ada, eve]) for (const { id } of await who.get('/hook')) await who.delete(`/hook/${id}`)
    await running.settle()
    there.answer = () => 200
    there.got.length = 0
  })

  const hook = async (values: object = {}, who: Person = ada) => ({
    ...(await who.post('/hook', { name: 'Receiver', url: `${there.url}/${++place}`, secret, ...values })),
    secret,
  })
  const types = () => there.got.map(call => call.body.type)
  /** Makes all waiting attempts due. */
  const hurry = async () => {
    await database.crossTenantSql`update failing_group set resume_at = now()`
    await database.crossTenantSql`update queued_job set run_at = now() where worker is null`
  }
  const deliveriesOf = async ({ id }: { id: string }) => await ada.get(`/hook/${id}/delivery`)

  test('a generated secret is shown once, when the hook is made', async () => {
    const url = `${there.url}/generated`
    const { status, body } = await ada.ask('POST', '/hook', {
      body: { name: 'Own', url },
      headers: { 'idempotency-key': 'once' },
    })
    assert.equal(status, 201)
    assert.match(body.secret, /^whsec_/)
    const again = await ada.ask('POST', '/hook', { body: { name: 'Own', url }, headers: { 'idempotency-key': 'once' } })
    assert.deepEqual([again.status, again.body.code], [409, 'not-repeatable'])
    assert.equal((await ada.get(`/hook/${body.id}`)).secret, '***')
    assert.equal((await ada.put(`/hook/${body.id}`, { name: 'Still' })).secret, '***')
    assert.ok(!JSON.stringify(await ada.get(`/hook/${body.id}/history`)).includes(body.secret))
    await ada.delete(`/hook/${body.id}`)
  })

  test('a change is sent with a signature that the public library verifies, and logged', async () => {
    const made = await hook({ headers: ['Authorization: Bearer abc'], includePrevious: true })
    assert.equal((await ada.get(`/hook/${made.id}`)).secret, '***')
    assert.deepEqual((await ada.get(`/hook/${made.id}`)).headers, ['Authorization: ***'])
    const item = await ada.post('/item', { title: 'First' })
    await ada.put(`/item/${item.id}`, { title: 'Second' })
    await there.until(got => got.length >= 3)
    const told = there.got.filter(call => call.body.data.entity === 'Item')
    assert.deepEqual(
      told.map(call => call.body.type),
      ['item.created', 'item.updated'],
    )
    const [, second] = told
    assert.ok(second)
    const verified = new Webhook(made.secret).verify(second.text, second.headers as Record<string, string>)
    assert.deepEqual(verified, second.body)
    assert.equal(second.headers.authorization, 'Bearer abc')
    const { data } = second.body
    assert.deepEqual(
      [data.id, data.record.title, data.changes.title, data.previous.title],
      [item.id, 'Second', 'Second', 'First'],
    )
    assert.deepEqual([data.actor, data.tenantId], [{ id: ada.id, kind: 'apiKey' }, ada.tenantId])
    const [event] = await ada.get(`/event?after=${told[0]?.body.data.seq}&limit=1`)
    assert.equal(event.seq, data.seq)
    await running.settle()
    const [newest] = await deliveriesOf(made)
    assert.deepEqual(
      [newest.state, newest.status, newest.attempts, newest.type, newest.recordId, newest.webhookId],
      [1, 200, 1, 'item.updated', item.id, second.headers['webhook-id']],
    )
    assert.equal(JSON.stringify(await deliveriesOf(made)).includes('Bearer'), false)
    assert.deepEqual(await ada.get(`/hook/delivery/${newest.id}`), newest)
    assert.ok((await ada.get(`/hook/${made.id}/delivery?state=${newest.state}`)).length > 0)
    for (const unknown of [100, -1, 2147483647])
      assert.deepEqual(await ada.get(`/hook/${made.id}/delivery?state=${unknown}`), [])
    assert.equal((await ada.ask('GET', `/hook/${made.id}/delivery?state=2147483648`)).status, 400)
    assert.equal((await bob.ask('GET', `/hook/${made.id}/delivery`)).status, 403)
    assert.equal((await eve.ask('GET', `/hook/delivery/${newest.id}`)).status, 404)
  })

  test('a hook receives the events that it selects by event, container and condition, under the selected name', async () => {
    const [desk, other] = [
      await ada.post('/container', { name: 'Desk' }),
      await ada.post('/container', { name: 'Other' }),
    ]
    await hook({
      events: [triggerEvent['item.closed']],
      container: [desk.id],
      conditionGroup: [{ condition: [{ leftSide: 'priority', operator: operator.equals, rightSide: '3' }] }],
    })
    const close = async (values: object) => {
      const item = await ada.post('/item', values)
      await ada.put(`/item/${item.id}`, { statusCategory: statusCategory.done })
      return item.id
    }
    const wanted = await close({ title: 'Here', containerId: desk.id, priority: 3 })
    await close({ title: 'Unimportant', containerId: desk.id, priority: 1 })
    await close({ title: 'Elsewhere', containerId: other.id, priority: 3 })
    await running.settle()
    assert.deepEqual(
      there.got.map(call => [call.body.type, call.body.data.id]),
      [['item.closed', wanted]],
    )
  })

  test('a hook sends only what its owner may see, and nothing of another tenant', async () => {
    const admin = await person({ name: 'Al', email: 'al@example.com', role: roleCode.admin })
    await hook({ events: [triggerEvent['item.created']] }, admin)
    await hook({ events: [triggerEvent['item.created']] }, eve)
    await ada.post('/item', { title: 'Confidential', visibility: itemVisibility.confidential })
    await ada.post('/item', { title: 'Open' })
    await eve.post('/item', { title: 'Theirs' })
    await running.settle()
    assert.deepEqual(
      there.got.map(call => [call.body.data.tenantId === ada.tenantId, call.body.data.record.title]).sort(),
      [
        [false, 'Theirs'],
        [true, 'Open'],
      ],
    )
  })

  test('a failed delivery is retried under the same id, and later ones of the record wait for it', async () => {
    const made = await hook({ events: [triggerEvent['item.created'], triggerEvent['item.updated']] })
    there.answer = call => (call.body.data.changes.title === 'A' ? 500 : 200)
    const item = await ada.post('/item', { title: 'A' })
    await ada.put(`/item/${item.id}`, { title: 'B' })
    await ada.post('/item', { title: 'Another' })
    await running.settle()
    assert.deepEqual(there.got.map(call => call.body.data.changes.title).sort(), ['A', 'Another'])
    const [, failing] = await deliveriesOf(made)
    assert.deepEqual([failing.state, failing.status, failing.attempts], [0, 500, 1])
    assert.ok(failing.nextAt)
    const { state, failures, check } = await ada.get(`/hook/${made.id}`)
    assert.deepEqual(
      [failures <= 1, check.map((each: { code: string }) => each.code)],
      [true, state === 1 ? ['failing'] : []],
    )
    there.answer = () => 204
    await hurry()
    await running.settle()
    const ofItem = there.got.filter(call => call.body.data.id === item.id)
    assert.deepEqual(
      ofItem.map(call => call.body.data.changes.title),
      ['A', 'A', 'B'],
    )
    assert.equal(ofItem[0]?.headers['webhook-id'], ofItem[1]?.headers['webhook-id'])
    assert.notEqual(ofItem[1]?.headers['webhook-id'], ofItem[2]?.headers['webhook-id'])
    assert.equal((await ada.get(`/hook/${made.id}`)).failures, 0)
  })

  test('a delivery is given up after ten attempts with pauses between them', async () => {
    const made = await hook({ events: [triggerEvent['item.created']] })
    there.answer = () => ({ status: 503, headers: { 'retry-after': '120' } })
    let before = Date.now()
    await ada.post('/item', { title: 'Nobody listens' })
    for (let n = 1; n <= 10; n++) {
      await running.settle()
      const [delivery] = await deliveriesOf(made)
      assert.equal(delivery.attempts, n)
      if (n < 10) assert.ok(Date.parse(delivery.nextAt) - before > 100_000, 'Retry-After')
      before = Date.now()
      await database.transaction(
        tenantCaller(ada.tenantId),
        ctx => ctx.sql`update hook set retry_at = null where tenant_id = ${ada.tenantId}`,
      )
      await ada.put(`/hook/${made.id}`, { name: `Try ${n}` }) // clears the cached hook
      await hurry()
    }
    await running.settle()
    const [delivery] = await deliveriesOf(made)
    assert.deepEqual([delivery.state, delivery.attempts, delivery.tries.length], [2, 10, 10])
    there.answer = () => 200
    await ada.post(`/hook/delivery/${delivery.id}/redeliver`, {})
    await running.settle()
    assert.equal((await ada.get(`/hook/delivery/${delivery.id}`)).state, 1)
    assert.equal(new Set(there.got.map(call => call.headers['webhook-id'])).size, 1)
  })

  test('five failures in a row pause a hook, and those of calls that were under way then do not count', async () => {
    const made = await hook()
    const outcome = { status: 503, failure: new Error('the address answered 503') }
    // Time stands still in a transaction.
    const [began] = await database.transaction(tenantCaller(ada.tenantId), async ctx => {
      for (let call = 0; call < 8; call++) await recordHookOutcome(ctx, made, outcome)
      return await ctx.sql<{ at: Date }>`select now() as at`
    })
    const { failures, retryAt } = await ada.get(`/hook/${made.id}`)
    assert.deepEqual([failures, Date.parse(retryAt) - Number(began?.at)], [5, 1000])
  })

  test('a hook whose address is gone or has failed for five days is disabled, with an event', async () => {
    const gone = await hook({ events: [triggerEvent['item.created']] })
    there.answer = () => 410
    await ada.post('/item', { title: 'To nobody' })
    await running.settle()
    const shown = await ada.get(`/hook/${gone.id}`)
    assert.equal(shown.state, 2)
    assert.ok(shown.disabledAt)
    assert.deepEqual(
      (await ada.get(`/hook/${gone.id}/check`)).map((each: { code: string }) => each.code),
      ['disabled'],
    )
    assert.equal((await ada.get('/event?types=hook.disabled&limit=1000')).length, 1)
    const before = there.got.length
    await ada.post('/item', { title: 'Unheard' })
    await running.settle()
    assert.equal(there.got.length, before)
    await ada.put(`/hook/${gone.id}`, { active: true })
    there.answer = () => 500
    await ada.post('/item', { title: 'Heard, and failed' })
    await running.settle()
    await database.transaction(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`update hook set failing_since = now() - interval '6 days' where tenant_id = ${ada.tenantId}`,
    )
    await hurry()
    await running.settle()
    assert.equal((await ada.get(`/hook/${gone.id}`)).state, 2)
  })

  test('a test and a redelivered range are sent like other events; a new secret signs beside the old one', async () => {
    const made = await hook({ events: [triggerEvent['item.created']] })
    const waiting = await ada.post(`/hook/${made.id}/test`, {})
    await running.settle()
    const [trial] = there.got
    assert.deepEqual([trial?.body.type, trial?.headers['webhook-id']], ['hook.tested', waiting.webhookId])
    assert.equal((await ada.get(`/hook/delivery/${waiting.id}`)).status, 200)
    const { secret: fresh } = await ada.post(`/hook/${made.id}/rotate-secret`, {})
    const from = new Date().toISOString()
    for (const title of ['A', 'B', 'C']) await ada.post('/item', { title })
    await running.settle()
    const first = there.got.slice(1)
    for (const each of [fresh, made.secret])
      new Webhook(each).verify(first[0]?.text ?? '', first[0]?.headers as Record<string, string>)
    there.got.length = 0
    assert.deepEqual(await ada.post(`/hook/${made.id}/redeliver`, { from }), { count: 3 })
    await running.settle()
    const ids = (calls: typeof first) => calls.map(call => call.headers['webhook-id']).sort()
    assert.deepEqual(ids(there.got), ids(first))
    assert.deepEqual(
      await ada.post(`/hook/${made.id}/redeliver`, {
        after: first.find(call => call.body.data.record.title === 'B')?.body.data.seq,
      }),
      { count: 1 },
    )
    assert.equal((await ada.ask('POST', `/hook/${made.id}/redeliver`, { body: {} })).status, 400)
    await running.settle()
  })

  test('the formats are thin, CloudEvents, Slack and Teams; an unknown one is stored and has no effect', async () => {
    for (const format of [1, 2, 3, 4, 9]) await hook({ events: [triggerEvent['item.created']], format })
    const item = await ada.post('/item', { title: 'A <b> & c' })
    await running.settle()
    const of = (format: number) => there.got.find(call => call.path === `/${place - (5 - format)}`)
    assert.deepEqual([of(1)?.body.data.id, 'record' in (of(1)?.body.data ?? {})], [item.id, false])
    assert.deepEqual(
      [of(2)?.body.specversion, of(2)?.body.subject, of(2)?.headers['content-type']],
      ['1.0', `Item/${item.id}`, 'application/cloudevents+json'],
    )
    assert.match(of(3)?.body.text, /item\.created .*A &lt;b&gt; &amp; c/)
    assert.match(of(4)?.body.attachments[0].content.body[0].text, /A <b> & c/)
    assert.equal(there.got.length, 4)
  })

  test('a large record is replaced by its address', async () => {
    await hook({ events: [triggerEvent['item.created']] })
    await ada.post('/item', { title: 'Long', description: 'x'.repeat(50_000) })
    await running.settle()
    assert.deepEqual([there.got[0]?.body.data.truncated, there.got[0]?.body.data.record], [true, undefined])
    assert.match(there.got[0]?.body.data.href, /\/api\/item\//)
  })

  test('internal addresses, redirects, malformed secrets and headers are refused', async () => {
    const refused = async (values: object) => {
      const { status, body } = await ada.ask('POST', '/hook', { body: { name: 'X', ...values } })
      return [status, body.Fields?.map((each: { Field: string }) => each.Field)]
    }
    assert.deepEqual(await refused({ url: 'http://169.254.169.254/latest' }), [400, ['url']])
    assert.deepEqual(await refused({ url: there.url, secret: 'short' }), [400, ['secret']])
    assert.deepEqual(await refused({ url: there.url, headers: ['Host: elsewhere'] }), [400, ['headers.0']])
    const made = await hook({ events: [triggerEvent['item.created']], headers: ['X-Token: t'] })
    const moved = await ada.ask('PUT', `/hook/${made.id}`, { body: { url: 'https://evil.example.com' } })
    assert.deepEqual([moved.status, moved.body.Fields[0].Code], [400, 'other-host'])
    const change = { url: 'https://good.example.com', headers: ['X-Token: newer'] }
    const other = await hook({ active: false, headers: ['X-Token: t'] })
    const { headers } = await ada.ask('PUT', `/hook/${other.id}`, { body: change })
    const undone = await ada.ask('POST', `/change/${headers.get('change-set')}/undo`)
    assert.deepEqual([undone.status, undone.body.conflicts[0].property], [409, 'url'], 'the newer value is not for it')
    there.answer = () => ({ status: 302, headers: { location: `${there.url}/stolen` } })
    await ada.post('/item', { title: 'Do not follow' })
    await running.settle()
    assert.equal(
      there.got.some(call => call.path === '/stolen'),
      false,
    )
    assert.equal((await deliveriesOf(made))[0].status, 302)
  })

  test('other senders use the same deliveries: once for each id, in order, with encrypted headers, and logged', async () => {
    const ownerId = (await ada.post('/rule', { name: 'Calls' })).id
    const send = (webhookId: string, body: object) =>
      database.transaction(tenantCaller(ada.tenantId), ctx =>
        deliver(ctx, {
          ownerEntity: 'Rule',
          ownerId,
          url: `${there.url}/rule`,
          headers: { 'x-token': 'canary' },
          body: JSON.stringify(body),
          webhookId,
          recordId: ownerId,
        }),
      )
    const id = await send('one', { n: 1 })
    assert.equal(await send('one', { n: 1 }), id)
    await send('two', { n: 2 })
    await running.settle()
    const calls = there.got.filter(call => call.path === '/rule')
    assert.deepEqual(
      calls.map(call => [call.body.n, call.headers['webhook-id'], call.headers['x-token']]),
      [
        [1, 'one', 'canary'],
        [2, 'two', 'canary'],
      ],
    )
    const logged = await ada.get(`/hook/delivery/${id}`)
    assert.deepEqual([logged.ownerEntity, logged.state], ['Rule', 1])
    assert.ok(types().length > 0)
  })
})
