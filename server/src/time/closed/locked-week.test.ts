import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import { approvalMode } from '../calendar/calendar.ts'
import { changeTime } from '../entry/entry.ts'
import { sheetState } from '../sheet/sheet-state.ts'
import { perform, sheetVerbs } from '../sheet/sheet-verbs.ts'
import { timeState } from '../time-state.ts'
import { closeTimeUntil } from './closing.ts'

describe('a locked week', async () => {
  const { ada, bob, database } = await sharedTestService()
  const group = await ada.post('/user-group', { name: 'Team', members: [bob.id] })
  await ada.post('/time/calendar', { name: 'Weeks', userGroups: [group.id], approval: approvalMode.person })
  const [from, to] = [
    await ada.post('/container', { name: 'From', key: 'FROM' }),
    await ada.post('/container', { name: 'To', key: 'GOAL' }),
  ]
  const [week, other] = ['2026-02-04', '2026-02-11']
  const [moved, merged, target] = await Promise.all(
    ['Moved', 'Merged', 'Target'].map(title => ada.post('/item', { title, containerId: from.id })),
  )
  const book = async (itemId: string, date: string) =>
    await bob.ask('POST', '/time', { body: { itemId, date, minutes: 30 } })
  const locked = [await book(moved.id, week), await book(merged.id, week), await book(target.id, week)]
  const gone = await book(target.id, week)
  await bob.delete(`/time/${gone.body.id}`)
  const open = [await book(moved.id, other), await book(merged.id, other)]
  const changed = await bob.ask('PUT', `/time/${locked[2]?.body.id}`, { body: { note: 'changed' } })

  const inTenant = <T>(work: (ctx: Context) => Promise<T>) => database.single(tenantCaller(bob.tenantId), work)
  const digest = () =>
    inTenant(async ctx => {
      const [row] = await ctx.sql<{
        digest: string
        count: number
      }>`select md5(string_agg(t::text, '' order by t.id)) as digest, count(*)::int as count
        from time t where t.tenant_id = ${bob.tenantId} and t.date = ${week}::date`
      return row
    })

  test('stays as it is when items are merged and moved, and work is undone, imported, deleted and restored', async () => {
    const sheet = await bob.post('/time/sheet/day', { date: week })
    await bob.post(`/time/sheet/${sheet.id}/submit`, {})
    await ada.post(`/time/sheet/${sheet.id}/approve`, {})
    await ada.post(`/time/sheet/${sheet.id}/lock`, {})
    const before = await digest()
    assert.equal(before?.count, 4)
    await ada.post(`/item/${moved.id}/move`, { containerId: to.id })
    await ada.post(`/item/${merged.id}/merge`, { into: target.id })
    await ada.ask('POST', `/change/${changed.headers.get('change-set')}/undo`)
    await bob.ask('POST', `/change/${locked[0]?.headers.get('change-set')}/undo`)
    await bob.ask('POST', `/time/${gone.body.id}/restore`)
    for (const { body } of locked) {
      await ada.ask('DELETE', `/time/${body.id}`)
      await ada.ask('PUT', `/time/${body.id}`, { body: { minutes: 1, date: other } })
    }
    const time = { userId: bob.id, date: week, minutes: 15, externalId: 'x1' }
    await ada.ask('POST', '/item/bulk', { body: [{ title: 'Imported', containerId: from.id, Time: [time] }] })
    await ada.ask('PUT', `/item/${target.id}`, { body: { Time: [time] } })
    await ada.delete(`/item/${moved.id}`)
    await ada.post(`/item/${moved.id}/restore`, undefined)
    await ada.ask('PATCH', '/item', { body: { ids: [target.id], patch: { containerId: to.id } } })
    assert.deepEqual(await digest(), before)
    const places = await inTenant(
      ctx => ctx.sql<{
        itemId: string
        containerId: string
      }>`select item_id as "itemId", container_id as "containerId" from time
        where tenant_id = ${bob.tenantId} and id = any(${open.map(each => each.body.id)}::uuid[]) order by id`,
    )
    assert.deepEqual(
      places.map(each => [each.itemId, each.containerId]),
      [
        [moved.id, to.id],
        [target.id, to.id],
      ],
      'open time follows its item',
    )
  })

  /** Whether somebody waits for a lock. */
  const waits = async () => {
    const [row] = await database.crossTenantSql<{
      count: number
    }>`select count(*)::int as count from pg_locks where not granted`
    return (row?.count ?? 0) > 0
  }

  /** Begins a transaction of one person, lets the other request wait for it, and commits. */
  async function race<T>(first: (ctx: Context) => Promise<unknown>, second: () => Promise<T>): Promise<T> {
    const { promise: waiting, resolve: begin } = Promise.withResolvers<void>()
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const held = database.transaction(tenantCaller(bob.tenantId, bob.id), async ctx => {
      await first(ctx)
      begin()
      await mayCommit
    })
    await waiting
    const answer = second()
    await until(waits)
    commit()
    await held
    return await answer
  }

  test('who edits while a sheet is submitted waits, and is refused', async () => {
    const { body: entry } = await book(target.id, '2026-03-04')
    const sheet = await bob.post('/time/sheet/day', { date: '2026-03-04' })
    const { status, body } = await race(
      ctx => perform(ctx, sheet.id, sheetVerbs.submit, { input: {} }),
      () => bob.ask('PUT', `/time/${entry.id}`, { body: { minutes: 1 } }),
    )
    assert.deepEqual([status, body.code], [422, 'time-submitted'])
    assert.equal((await bob.get(`/time/${entry.id}`)).minutes, 30)
  })

  test('who books while a sheet is submitted waits, and is refused', async () => {
    const sheet = await bob.post('/time/sheet/day', { date: '2026-02-25' })
    const { status, body } = await race(
      ctx => perform(ctx, sheet.id, sheetVerbs.submit, { input: {} }),
      () => book(target.id, '2026-02-25'),
    )
    assert.deepEqual([status, body.code], [422, 'period-closed'])
  })

  test('who submits while an entry is edited waits, and submits the edited entry', async () => {
    const { body: entry } = await book(target.id, '2026-03-11')
    const sheet = await bob.post('/time/sheet/day', { date: '2026-03-11' })
    const { body } = await race(
      ctx => changeTime(ctx, entry.id, { minutes: 5 }, {}),
      () => bob.ask('POST', `/time/sheet/${sheet.id}/submit`, { body: {} }),
    )
    assert.equal(body.state, sheetState.submitted)
    const { minutes, state } = await bob.get(`/time/${entry.id}`)
    assert.deepEqual([minutes, state], [5, timeState.submitted])
  })

  test('an approval waits for a recall, and is refused', async () => {
    const sheet = await bob.post('/time/sheet/day', { date: '2026-03-18' })
    const { version } = await bob.post(`/time/sheet/${sheet.id}/submit`, {})
    const { status, body } = await race(
      ctx => perform(ctx, sheet.id, sheetVerbs.recall, { input: {} }),
      () => ada.ask('POST', `/time/sheet/${sheet.id}/approve`, { body: {}, headers: { 'if-match': `"v${version}"` } }),
    )
    assert.deepEqual([status, body.code], [412, 'stale'])
  })

  test('who books while time is closed waits, and is refused', async () => {
    const { status, body } = await race(
      ctx => closeTimeUntil(ctx, { until: '2026-03-31', reason: 'x' }),
      () => book(target.id, '2026-03-30'),
    )
    assert.deepEqual([status, body.code], [422, 'period-closed'])
  })
})
