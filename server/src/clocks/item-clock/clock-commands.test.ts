import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { targetKind } from '../clock/target-kind.ts'
import { clockState } from '../cycle/measure.ts'
import { resetClock, startClock, stopClock, switchClock } from './clock-commands.ts'
import { crossThresholds } from './cross-thresholds.ts'

describe('commands to clocks', async () => {
  const home = await sharedTestService()
  const { ada, eve, database } = home
  const running = await engines(home)
  const never = [{ condition: [{ leftSide: 'title', operator: operator.equals, rightSide: 'nobody calls it so' }] }]

  const desk = async (by: Person = ada) => (await by.post('/container', { name: `Desk ${crypto.randomUUID()}` })).id
  const clockOf = async (container: string, values: object, by: Person = ada) =>
    await by.post('/clock', { name: 'Promise', container: [container], ...values })
  const lights = async (id: string) => await ada.get(`/item/${id}/clock`)
  const asRule = async (work: (ctx: Context) => Promise<void>) =>
    await database.transaction({ ...tenantCaller(ada.tenantId), kind: 'rule' }, work)

  test('a clock can be started, restarted and stopped by a command', async () => {
    const containerId = await desk()
    const clock = await clockOf(containerId, { start: never, targets: [{ kind: targetKind.resolution, minutes: 60 }] })
    const item = await ada.post('/item', { title: 'Ordered', containerId })
    assert.deepEqual(await lights(item.id), [])
    await asRule(ctx => startClock(ctx, item.id, clock.id))
    const [first] = await lights(item.id)
    assert.equal(first.state, clockState.green)
    await asRule(ctx => resetClock(ctx, item.id, clock.id, 'again'))
    const [second] = await lights(item.id)
    assert.ok(second.startedAt > first.startedAt)
    await asRule(ctx => stopClock(ctx, item.id, clock.id))
    await running.settle()
    const after = await lights(item.id)
    assert.deepEqual([after.length, after[0].state], [1, clockState.met])
  })

  test('a switch to another clock keeps the start and the pauses, and lasts', async () => {
    const containerId = await desk()
    const here = await clockOf(containerId, { order: 1, targets: [{ kind: targetKind.resolution, minutes: 60 }] })
    const there = await clockOf(containerId, {
      order: 2,
      start: never,
      targets: [{ kind: targetKind.resolution, minutes: 600 }],
    })
    const item = await ada.post('/item', { title: 'Switched', containerId })
    await running.settle()
    await ada.post(`/item/${item.id}/clock/${here.id}/pause`, { reason: 'a' })
    await ada.post(`/item/${item.id}/clock/${here.id}/resume`, { reason: 'b' })
    const [before] = await lights(item.id)
    await asRule(ctx => switchClock(ctx, item.id, there.id, 'a better contract'))
    await ada.put(`/item/${item.id}`, { title: 'Something happens' })
    await running.settle()
    const [after] = await lights(item.id)
    assert.deepEqual([after.clockId, after.startedAt, after.pauses], [there.id, before.startedAt, before.pauses])
    assert.equal(Date.parse(after.dueAt) - Date.parse(before.dueAt), 540 * 60_000)
  })

  test('a command for an unknown clock is refused', async () => {
    const item = await ada.post('/item', { title: 'Alone' })
    await assert.rejects(
      asRule(ctx => startClock(ctx, item.id, item.id)),
      { code: 'unknown-reference' },
    )
  })

  test('an inactive clock starts no cycle, and its running cycles continue', async () => {
    const containerId = await desk()
    const clock = await clockOf(containerId, { targets: [{ kind: targetKind.resolution, minutes: 60 }] })
    const item = await ada.post('/item', { title: 'Before', containerId })
    await running.settle()
    await ada.put(`/clock/${clock.id}`, { active: false, start: never })
    await running.settle()
    const later = await ada.post('/item', { title: 'Behind', containerId })
    assert.deepEqual(await lights(later.id), [])
    assert.deepEqual(
      (await lights(item.id)).map((each: { state: number }) => each.state),
      [1],
    )
  })

  test('the creation of an item with a clock can be undone', async () => {
    const containerId = await desk()
    await clockOf(containerId, { targets: [{ kind: targetKind.resolution, minutes: 60 }] })
    const { body, headers } = await ada.ask('POST', '/item', { body: { title: 'A slip', containerId } })
    await running.settle()
    assert.equal((await lights(body.id)).length, 1)
    await ada.must('POST', `/change/${headers.get('change-set')}/undo`)
    assert.equal((await ada.ask('GET', `/item/${body.id}`)).status, 404)
  })

  test('inWorkingTime uses the hours of the weekday and of the date', async () => {
    const containerId = await desk()
    const now = new Date()
    const today = now.toISOString().slice(0, 10)
    const weekday = now.getUTCDay() || 7
    const whole = [{ start: '00:00', end: '24:00' }]
    const open = await clockOf(containerId, { schedule: [{ day: weekday, intervals: whole }] })
    const closed = await clockOf(containerId, { exceptions: [{ date: today, intervals: [] }] })
    const extra = await clockOf(containerId, {
      nonWorkingDay: [today],
      exceptions: [{ date: today, intervals: whole }],
    })
    const other = await clockOf(containerId, { schedule: [{ day: (weekday % 7) + 1, intervals: whole }] })
    const item = await ada.post('/item', { title: 'When', containerId })
    const found = async (clockId: string) => {
      const conditionGroup = [
        { condition: [{ leftSide: 'created', operator: operator.inWorkingTime, rightSide: clockId }] },
      ]
      return (await ada.post('/item/search', { conditionGroup, container: [containerId] })).length
    }
    assert.ok(item.id)
    assert.deepEqual(await Promise.all([open, closed, extra, other].map(each => found(each.id))), [1, 0, 1, 0])
  })

  test('a workflow state pauses clocks, a target may count every minute, and time may count from a field', async () => {
    const workflow = [
      { id: 'a', fieldId: 'status', value: 'New', next: '*' },
      { id: 'b', fieldId: 'status', value: 'Parked', next: '*', pausesClock: true },
    ]
    const process = await ada.post('/process', { name: `Parks ${crypto.randomUUID()}`, workflow })
    const { id: containerId } = await ada.post('/container', {
      name: `Desk ${crypto.randomUUID()}`,
      processIds: [process.id],
      defaultProcessId: process.id,
    })
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await clockOf(containerId, {
      startFrom: 'field:startDate',
      timezone: 'UTC',
      nonWorkingDay: [`2000-01-01/${tomorrow}`],
      targets: [
        { id: 'always', kind: targetKind.resolution, minutes: 6000, calendarTime: true },
        { id: 'open', kind: targetKind.custom, minutes: 60 },
      ],
    })
    const item = await ada.post('/item', { title: 'Since', containerId, status: 'New', startDate: day })
    const [own, always] = await lights(item.id)
    assert.deepEqual([own.targetId, own.elapsed], ['open', 0])
    assert.equal(always.startedAt, `${day}T00:00:00.000Z`)
    assert.equal(Date.parse(always.dueAt) - Date.parse(always.startedAt), 6000 * 60_000)
    assert.ok(own.dueAt > tomorrow)
    await ada.put(`/item/${item.id}`, { status: 'Parked' })
    assert.deepEqual(
      (await lights(item.id)).map((each: { state: number }) => each.state),
      [4, 4],
    )
    await ada.put(`/item/${item.id}`, { status: 'New' })
    assert.deepEqual(
      (await lights(item.id)).map((each: { state: number }) => each.state),
      [1, 1],
    )
  })

  test('users can compute working time on a clock', async () => {
    const clock = await clockOf(await desk(), {
      timezone: 'Europe/Berlin',
      dayStart: '09:00',
      dayEnd: '17:00',
      weekEnd: 'Friday',
    })
    const calc = async (body: object) => await ada.ask('POST', `/clock/${clock.id}/calc`, { body })
    const from = '2026-03-27T15:00:00Z' // a Friday; the UTC offset changes on Sunday
    assert.equal((await calc({ from, minutes: 120 })).body.to, '2026-03-30T08:00:00.000Z')
    assert.equal((await calc({ from: '2026-03-30 10:00+0200', minutes: -120 })).body.to, '2026-03-27T15:00:00.000Z')
    assert.equal((await calc({ from, to: '2026-03-30T08:00:00Z' })).body.minutes, 120)
    assert.equal((await calc({ from: '2026-03-30T08:00:00Z', to: from })).body.minutes, -120)
    assert.equal((await calc({ from, minutes: 0 })).body.to, '2026-03-27T15:00:00.000Z')
    for (const wrong of [{ from }, { from, to: from, minutes: 1 }, { from: '0500-01-01T00:00:00Z', minutes: 1 }])
      assert.equal((await calc(wrong)).status, 400, JSON.stringify(wrong))
  })

  test('the crossings of one tenant do not wait for those of another', async () => {
    for (const by of [ada, eve]) {
      const containerId = await desk(by)
      await clockOf(containerId, { targets: [{ kind: targetKind.resolution, minutes: 1 }] }, by)
      const count = by === ada ? 130 : 1
      await by.post(
        '/item/bulk',
        Array.from({ length: count }, (_, i) => ({ title: `Due ${i}`, containerId })),
      )
    }
    await running.settle()
    const soon = new Date(Date.now() + 61_000)
    const signal = new AbortController()
    const told: string[] = []
    const watched = {
      ...database,
      transaction: (async (caller, work, more) => {
        told.push(caller.tenantId)
        return await database.transaction(caller, work, more)
      }) as typeof database.transaction,
    }
    await crossThresholds(watched, () => soon).run(signal.signal)
    assert.ok(told.slice(0, 2).includes(ada.tenantId) && told.slice(0, 2).includes(eve.tenantId), told.join())
    const rows = await database.single(
      tenantCaller(ada.tenantId),
      ctx =>
        ctx.sql<{
          n: number
        }>`select count(*)::int as n from event where tenant_id = ${ada.tenantId} and kind = 'clock.breached'`,
    )
    assert.equal(rows[0]?.n, 130)
  })
})
