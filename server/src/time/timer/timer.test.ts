import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { demandCode } from '../../containers/constraint/constraint.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { timeSource, timeState } from '../time-state.ts'
import { watchTimers } from './watch-timers.ts'

const hour = 3_600_000
const second = (moment: number) => new Date(Math.floor(moment / 1000) * 1000).toISOString()
const ago = (hours: number) => second(Date.now() - hours * hour)

interface Booked {
  date: string
  seconds: number
  state: number
  source: number
}

describe('the timer', async () => {
  const { ada, bob, eve, database, person } = await sharedTestService()
  const item = await ada.post('/item', { title: 'Work' })
  const code = await ada.post('/finance/non-billable', { code: 'INT', name: 'Internal' })
  const watch = (now: Date) => watchTimers(database, () => now).run(new AbortController().signal)
  const kinds = async (who: Person, id: string) => {
    const rows = await database.single(
      tenantCaller(who.tenantId),
      ctx =>
        ctx.sql<{
          kind: string
        }>`select kind from event where tenant_id = ${who.tenantId} and record_id = ${id} order by xact, id`,
    )
    return rows.map(each => each.kind)
  }

  test('one runs for each user, and stopping it books the time', async () => {
    assert.equal((await bob.ask('GET', '/time/timer')).status, 204)
    const startedAt = ago(1)
    const timer = await bob.post('/time/timer/start', { itemId: item.id, note: 'Looking', startedAt })
    assert.deepEqual([timer.userId, timer.startedAt, timer.stoppedAt, timer.overdue], [bob.id, startedAt, null, false])
    const { status, body } = await bob.ask('POST', '/time/timer/start', { body: { nonBillable: code.id } })
    assert.deepEqual([status, body.code, body.current.id], [409, 'timer-running', timer.id])
    assert.equal((await bob.get('/time/timer')).id, timer.id)
    assert.equal((await eve.ask('GET', '/time/timer')).status, 204)
    const at = second(Date.parse(startedAt) + 630_500)
    const { entries } = await bob.post('/time/timer/stop', { at, note: 'Found' })
    const seconds = entries.reduce((sum: number, each: Booked) => sum + each.seconds, 0)
    assert.deepEqual([seconds, entries[0].source, entries[0].note], [630, timeSource.timer, 'Found'])
    assert.equal((await bob.ask('GET', '/time/timer')).status, 204)
    assert.equal((await bob.ask('POST', '/time/timer/stop', { body: {} })).status, 404)
    assert.deepEqual(await kinds(bob, timer.id), ['timer.started', 'timer.stopped'])
  })

  test('of two starts at once one succeeds, and a repeated one is replayed', async () => {
    const kim = await person({ name: 'Kim' })
    const body = { itemId: item.id }
    const answers = await Promise.all([1, 2, 3].map(() => kim.ask('POST', '/time/timer/start', { body })))
    assert.deepEqual(answers.map(each => each.status).sort(), [201, 409, 409])
    await kim.delete('/time/timer')
    const headers = { 'idempotency-key': 'start-once' }
    const first = await kim.ask('POST', '/time/timer/start', { body, headers })
    const again = await kim.ask('POST', '/time/timer/start', { body, headers })
    assert.deepEqual([first.status, again.status, again.body.id], [201, 201, first.body.id])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
  })

  test('time is split at the midnights of the user’s zone, also where clocks are changed', async () => {
    for (const [timezone, startedAt, at, expected] of [
      ['Europe/Berlin', '2026-03-28T21:30:00Z', '2026-03-29T01:30:00Z', [5400, 9000]],
      ['Europe/Berlin', '2026-10-24T21:00:00Z', '2026-10-25T23:30:00Z', [3600, 90_000, 1800]],
      ['America/Santiago', '2026-09-06T03:30:00Z', '2026-09-06T04:45:00Z', [1800, 2700]],
      ['Asia/Kolkata', '2026-03-31T18:00:00Z', '2026-03-31T19:00:00Z', [1800, 1800]],
    ] as const) {
      const zoe = await person({ name: `Zoe ${timezone} ${startedAt}`, timezone })
      await zoe.post('/time/timer/start', { itemId: item.id })
      // The test moves the start, because it may be in the future of the machine.
      await database.single(
        tenantCaller(zoe.tenantId),
        ctx =>
          ctx.sql`update timer set started_at = ${startedAt}, stopped_at = ${at} where tenant_id = ${zoe.tenantId} and user_id = ${zoe.id}`,
      )
      const { entries } = await zoe.post('/time/timer/stop', {})
      assert.deepEqual(
        entries.map((each: Booked) => each.seconds),
        expected,
        timezone,
      )
    }
  })

  test('switching stops one and starts the next at one instant', async () => {
    const lea = await person({ name: 'Lea' })
    const fresh = await lea.post('/time/timer/switch', { itemId: item.id, startedAt: ago(1) })
    assert.deepEqual(fresh.entries, [])
    const { entries, timer } = await lea.post('/time/timer/switch', { nonBillable: code.id })
    assert.equal(entries.at(-1).end, timer.startedAt)
    assert.deepEqual([entries.at(-1).itemId, timer.itemId, timer.nonBillable], [item.id, '', code.id])
  })

  test('switching succeeds whatever else the person does with the timer at the same time', async () => {
    const ivy = await person({ name: 'Ivy' })
    const body = { itemId: item.id }
    const calls = Array.from({ length: 12 }, (_, i) =>
      i % 3 === 2
        ? ivy.ask('POST', '/time/timer/stop', { body: {} })
        : ivy.ask('POST', '/time/timer/switch', { body }).then(answer => assert.equal(answer.status, 200)),
    )
    await Promise.all(calls)
  })

  test('a timer is changed, not to the future and not over other time', async () => {
    const max = await person({ name: 'Max' })
    assert.equal((await max.ask('PATCH', '/time/timer', { body: { note: 'x' } })).status, 404)
    assert.equal((await max.ask('POST', '/time/timer/start', { body: {} })).body.code, 'time-target')
    await max.post('/time', { nonBillable: code.id, start: ago(5), end: ago(4) })
    const constraint = await ada.post('/constraint', { name: 'No overlap', then: [{ kind: demandCode.noOverlap }] })
    const tomorrow = second(Date.now() + 24 * hour)
    const early = await max.ask('POST', '/time/timer/start', { body: { itemId: item.id, startedAt: tomorrow } })
    assert.deepEqual([early.status, early.body.Fields[0].Field], [400, 'startedAt'])
    await max.post('/time/timer/start', { itemId: item.id })
    const since = ago(3)
    assert.equal(
      (await max.must('PATCH', '/time/timer', { body: { startedAt: since, note: 'Since then' } })).startedAt,
      since,
    )
    assert.equal(
      (await max.ask('PATCH', '/time/timer', { body: { startedAt: ago(4.5) } })).body.code,
      'constraint-broken',
    )
    assert.equal((await max.ask('PATCH', '/time/timer', { body: { startedAt: tomorrow } })).status, 400)
    assert.equal((await max.get('/time?userId=@me')).length, 1)
    await ada.delete(`/constraint/${constraint.id}`)
    const late = await max.ask('POST', '/time/timer/stop', { body: { at: ago(6) } })
    assert.deepEqual([late.status, late.body.Fields[0].Field], [400, 'at'])
  })

  test('a refused stop keeps its moment, and the time is booked elsewhere', async () => {
    const ned = await person({ name: 'Ned' })
    const place = await ada.post('/container', { name: 'Old' })
    const old = await ada.post('/item', { title: 'Old work', containerId: place.id })
    await ned.post('/time/timer/start', { itemId: old.id, startedAt: ago(0.5) })
    await ada.put(`/container/${place.id}`, { archived: true })
    const dry = await ned.ask('POST', '/time/timer/stop?dryRun=true', { body: {} })
    assert.deepEqual([dry.status, (await ned.get('/time/timer')).stoppedAt], [422, null])
    const refused = await ned.ask('POST', '/time/timer/stop', { body: { at: ago(0.25) } })
    assert.deepEqual([refused.status, refused.body.code], [422, 'container-archived'])
    const { stoppedAt } = await ned.get('/time/timer')
    assert.ok(stoppedAt !== null)
    await ned.must('PATCH', '/time/timer', { body: { itemId: item.id } })
    const { entries } = await ned.post('/time/timer/stop', {})
    assert.equal(entries.at(-1).end, stoppedAt)
  })

  test('a timer that is forgotten is reported once, and stopped once as a draft', async () => {
    const ole = await person({ name: 'Ole' })
    const timer = await ole.post('/time/timer/start', { itemId: item.id })
    const after = (hours: number) => new Date(Date.parse(timer.startedAt) + hours * hour + 1000)
    for (const hours of [9, 10, 11, 12]) await watch(after(hours))
    assert.equal((await ole.get('/time/timer')).overdue, true)
    await Promise.all([16, 16, 17].map(hours => watch(after(hours))))
    assert.deepEqual(await kinds(ole, timer.id), ['timer.started', 'timer.overdue', 'timer.stopped'])
    const drafts: Booked[] = await ole.get('/time')
    assert.equal(
      drafts.reduce((sum, each) => sum + each.seconds, 0),
      16 * 3600,
    )
    assert.ok(drafts.every(each => each.state === timeState.draft && each.source === timeSource.timer))
    assert.equal(
      (await ada.get(`/item/${item.id}`)).Time.some((each: Booked & { userId: string }) => each.userId === ole.id),
      true,
    )
  })

  test('the setting 0 never stops a timer', async () => {
    const { id } = await ada.post('/admin/setting', { key: 'time.timerStopAfter', value: 0 })
    const pia = await person({ name: 'Pia' })
    const timer = await pia.post('/time/timer/start', { itemId: item.id })
    await watch(new Date(Date.parse(timer.startedAt) + 100 * hour))
    await watch(new Date(Date.parse(timer.startedAt) + 200 * hour))
    assert.equal((await pia.get('/time/timer')).overdue, true)
    await ada.delete(`/admin/setting/${id}`)
  })

  test('the timer of a user who is no longer active is stopped', async () => {
    const quy = await person({ name: 'Quy' })
    await quy.post('/time/timer/start', { itemId: item.id, startedAt: ago(1) })
    await ada.put(`/user/${quy.id}`, { active: false })
    await watch(new Date())
    const drafts: Booked[] = await ada.get(`/time?userId=${quy.id}`)
    const seconds = drafts.reduce((sum, each) => sum + each.seconds, 0)
    assert.ok(seconds >= 3600 && seconds < 3660, `${seconds}`)
    assert.deepEqual([...new Set(drafts.map(each => each.state))], [timeState.draft])
  })

  test('starting and stopping can be undone', async () => {
    const ray = await person({ name: 'Ray' })
    const started = await ray.ask('POST', '/time/timer/start', { body: { itemId: item.id } })
    await ray.post(`/change/${started.headers.get('change-set')}/undo`, undefined)
    assert.equal((await ray.ask('GET', '/time/timer')).status, 204)
    await ray.post('/time/timer/start', { itemId: item.id, startedAt: ago(0.1) })
    const stopped = await ray.ask('POST', '/time/timer/stop', { body: {} })
    assert.ok(stopped.body.entries.length > 0)
    await ray.post(`/change/${stopped.headers.get('change-set')}/undo`, undefined)
    assert.deepEqual([(await ray.get('/time/timer')).stoppedAt, await ray.get('/time')], [null, []])
  })
})
