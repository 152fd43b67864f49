import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { sharedReceiver } from '../../../test/support/servers/receiver.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { deliveryState } from '../delivery/delivery-log.ts'
import { triggerEvent } from '../trigger-event.ts'

describe('calls that are due together', async () => {
  const there = await sharedReceiver()
  const home = await sharedTestService(there.env)
  const { ada, eve, person, database } = home
  const al = await person({ name: 'Al', email: 'al@example.com', role: roleCode.admin })
  const running = await engines(home, there.env)
  let place = 0

  beforeEach(async () => {
    for (const who of [ada, eve]) for (const { id } of await who.get('/hook')) await who.delete(`/hook/${id}`)
    await running.settle()
    there.answer = () => 200
    there.got.length = 0
  })

  const hook = async (who: Person, values: object = {}): Promise<{ id: string; path: string }> => {
    const path = `/${++place}`
    const events = [triggerEvent['item.created']]
    return { ...(await who.post('/hook', { name: 'Hook', url: there.url + path, events, ...values })), path }
  }
  const create = (who: Person, titles: readonly string[], values: (title: string) => object = () => ({})) =>
    who.post(
      '/item/bulk',
      titles.map(title => ({ title, ...values(title) })),
    )
  /** A hook begins with one call at a time; after some that succeeded, many are under way at once. */
  const warmUp = async (...who: Person[]) => {
    for (const each of who) await create(each, Array(16).fill('Warm'))
    await running.settle()
    there.got.length = 0
  }
  /** Lets the calls to a hook wait while `act` runs, so that they are due together. */
  const meanwhile = async (who: Person, { id }: { id: string }, act: () => Promise<unknown>) => {
    const group = `hook ${id}`
    await database.crossTenantSql`insert into failing_group (tenant_id, job_group, resume_at) values (${who.tenantId}, ${group}, now() + interval '1 hour')`
    await act()
    await database.crossTenantSql`delete from failing_group where tenant_id = ${who.tenantId} and job_group = ${group}`
    await running.settle()
  }
  const titlesAt = ({ path }: { path: string }) =>
    there.got.flatMap(call => (call.path === path ? [call.body.data.record.title] : [])).sort()
  const titles = Array.from({ length: 12 }, (_, n) => String.fromCharCode(65 + n))

  test('each sends its own record and event', async () => {
    const made = await hook(ada)
    await warmUp(ada)
    await create(ada, titles)
    await running.settle()
    assert.deepEqual(titlesAt(made), titles)
    for (const { body, headers } of there.got) {
      const { id, recordId, changes, record, seq } = body.data
      assert.deepEqual([record.id, recordId, changes.title], [id, id, record.title])
      const delivery = (await ada.get(`/hook/${made.id}/delivery`)).find(
        (each: { webhookId: string }) => each.webhookId === headers['webhook-id'],
      )
      assert.deepEqual(
        [delivery.recordId, delivery.eventSeq, delivery.state, delivery.attempts, delivery.tries.length],
        [id, seq, deliveryState.delivered, 1, 1],
      )
    }
  })

  test('each owner gets only what they may see, also where others see more', async () => {
    const [all, some] = [await hook(ada), await hook(al)]
    await warmUp(ada)
    const isHidden = (title: string) => title.charCodeAt(0) % 3 === 0
    await create(ada, titles, title => (isHidden(title) ? { visibility: itemVisibility.confidential } : {}))
    await running.settle()
    assert.deepEqual(titlesAt(all), titles)
    assert.deepEqual(
      titlesAt(some),
      titles.filter(title => !isHidden(title)),
    )
  })

  test('conditions of one hook do not apply to another of the same owner', async () => {
    const conditionGroup = [{ condition: [{ leftSide: 'title', operator: operator.equals, rightSide: 'B' }] }]
    const [all, one] = [await hook(ada), await hook(ada, { conditionGroup })]
    await warmUp(ada)
    await create(ada, titles)
    await running.settle()
    assert.deepEqual([titlesAt(all), titlesAt(one)], [titles, ['B']])
  })

  test('a record that was deleted meanwhile is sent as deleted, one that was hidden meanwhile is not sent', async () => {
    const made = await hook(al)
    await warmUp(ada)
    await meanwhile(ada, made, async () => {
      const created: { id: string }[] = await create(ada, titles)
      const idOf = (title: string) => created[titles.indexOf(title)]?.id
      await ada.delete(`/item/${idOf('B')}`)
      await ada.put(`/item/${idOf('C')}`, { visibility: itemVisibility.confidential })
      await running.settle()
    })
    assert.deepEqual(
      titlesAt(made),
      titles.filter(title => title !== 'C'),
    )
    for (const { body } of there.got) assert.equal(body.data.record.deleted, body.data.record.title === 'B')
  })

  test('a call that fails does so by itself, and those to other addresses succeed', async () => {
    const [good, bad] = [await hook(ada), await hook(ada)]
    await warmUp(ada)
    there.answer = ({ path, body }) =>
      path === bad.path ? 500 : body.data.record.title === 'C' ? { status: 503 } : 200
    await create(ada, titles)
    await running.settle()
    assert.deepEqual(titlesAt(good), titles)
    const states = async ({ id }: { id: string }) => {
      const log: { recordId: string; state: number; status: number; attempts: number }[] = await ada.get(
        `/hook/${id}/delivery`,
      )
      const byId = new Map(there.got.map(call => [call.body.data.id, call.body.data.record.title]))
      const ofItems = log.filter(each => byId.has(each.recordId))
      return ofItems.map(each => [byId.get(each.recordId), each.state, each.status, each.attempts].join(' ')).sort()
    }
    assert.deepEqual(
      await states(good),
      titles.map(title =>
        title === 'C' ? `C ${deliveryState.waiting} 503 1` : `${title} ${deliveryState.delivered} 200 1`,
      ),
    )
    assert.ok((await states(bad)).every(each => each.endsWith(`${deliveryState.waiting} 500 1`)))
  })

  test('one that cannot be prepared fails alone', async () => {
    const made = await hook(ada)
    await warmUp(ada)
    const payload = JSON.stringify({ hookId: made.id, xact: '1', eventId: 'no id' })
    await meanwhile(ada, made, async () => {
      await database.crossTenantSql`insert into queued_job (tenant_id, lane, xact, id, task, payload, job_group)
        values (${ada.tenantId}, 'broken', '1', ${newId()}, 'hook', ${payload}, ${`hook ${made.id}`})`
      await create(ada, titles)
      await running.settle()
    })
    assert.deepEqual(titlesAt(made), titles)
    const waiting =
      await database.crossTenantSql`delete from queued_job where tenant_id = ${ada.tenantId} and lane = 'broken' returning attempts`
    assert.deepEqual(waiting, [{ attempts: 1 }])
  })

  test('a tenant gets no calls of another, even if a job names a hook of the other', async () => {
    const [mine, theirs] = [await hook(ada), await hook(eve)]
    await warmUp(ada, eve)
    await Promise.all([create(ada, titles), create(eve, ['X', 'Y', 'Z'])])
    await running.settle()
    assert.deepEqual([titlesAt(mine), titlesAt(theirs)], [titles, ['X', 'Y', 'Z']])
    const [event] = await ada.get('/event?types=item.created&limit=1')
    const payload = JSON.stringify({ hookId: theirs.id, xact: event.seq.split('-')[0], eventId: event.id })
    await database.crossTenantSql`insert into queued_job (tenant_id, lane, xact, id, task, payload, job_group)
      values (${ada.tenantId}, 'foreign', '1', ${newId()}, 'hook', ${payload}, 'hook foreign')`
    there.got.length = 0
    await create(ada, titles)
    await running.settle()
    assert.deepEqual([titlesAt(mine), titlesAt(theirs)], [titles, []])
  })
})
