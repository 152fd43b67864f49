import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { codeKind } from '../../../finance/non-billable.ts'
import { grantEffect } from '../../../identity/grant-effect.ts'
import { itemVisibility } from '../../../items/item/item.ts'
import { timeBillable } from '../../../time/time-state.ts'

type Row = Record<string, unknown>

describe('a report on time', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const nora = await person({ name: 'Nora', timezone: 'UTC' })
  const { id: paid } = await ada.post('/container', { name: 'Paid', billable: true })
  const item = await ada.post('/item', { title: 'Work', containerId: paid })
  const leave = await ada.post('/finance/non-billable', { code: 'LV', name: 'Leave', kind: codeKind.leave })
  const training = await ada.post('/finance/non-billable', { code: 'TRN', name: 'Training' })
  const hours = (n: number) => n * 3600
  const april = { startDate: '2026-04-13T00:00:00Z', endDate: '2026-04-19T00:00:00Z', timezone: 'UTC' }
  const read = async (who: Person, name: string, body: object): Promise<Row[]> =>
    await who.post(`/insight/report/${name}`, { ...april, ...body })
  await nora.post('/time', { itemId: item.id, date: '2026-04-13', minutes: 360 })
  await nora.post('/time', { itemId: item.id, date: '2026-04-14', minutes: 60, billable: timeBillable.no })
  await nora.post('/time', { nonBillable: training.id, date: '2026-04-14', minutes: 120 })
  await nora.post('/time', { nonBillable: leave.id, date: '2026-04-15', minutes: 480 })
  await bob.post('/time', { itemId: item.id, date: '2026-04-14', minutes: 240 })

  test('divides billable time by capacity, after leave, and totals from sums', async () => {
    const [mine] = await read(ada, 'utilisation', { userIds: [nora.id] })
    const { drill, ...row } = mine ?? {}
    assert.deepEqual(row, {
      user: nora.id,
      userLabel: 'Nora',
      capacity: hours(32),
      worked: hours(9),
      billable: hours(6),
      utilisation: 0.1875,
      occupation: 0.2813,
    })
    assert.equal((await ada.get(`/insight/drill/${drill}`)).length, 3)
    const [both] = await read(ada, 'utilisation', { userIds: [nora.id, bob.id], groupBy: [] })
    assert.deepEqual([both?.capacity, both?.billable, both?.utilisation], [hours(72), hours(10), 0.1389])
    const [weekend] = await read(ada, 'utilisation', { userIds: [nora.id], startDate: '2026-04-18T00:00:00Z' })
    assert.deepEqual([weekend?.capacity, weekend?.utilisation], [0, null])
  })

  test('shows days and weeks, and the entries behind each', async () => {
    const days = await read(nora, 'utilisation', { groupBy: ['day'] })
    assert.deepEqual(
      days.map(({ day, worked }) => [day, worked]),
      [13, 14, 15, 16, 17, 18, 19].map(day => [`2026-04-${day}`, hours({ 13: 6, 14: 3 }[day] ?? 0)]),
    )
    assert.equal((await nora.get(`/insight/drill/${days[1]?.drill}`)).length, 2)
    assert.deepEqual(
      (await read(nora, 'utilisation', { groupBy: ['week', 'month'] })).map(({ week, month }) => [week, month]),
      [['2026-04-13', '2026-04-01']],
    )
  })

  test('shows the time of others to those who may read it only', async () => {
    assert.deepEqual(
      (await read(bob, 'utilisation', {})).map(({ user }) => user),
      [bob.id],
    )
    assert.deepEqual(await read(bob, 'utilisation', { userIds: [nora.id] }), [])
    assert.deepEqual(await read(eve, 'utilisation', { userIds: [nora.id] }), [])
    const sheet = (await read(ada, 'team-timesheet', {})).map(({ userName, label, seconds, isBillable }) => [
      userName,
      label,
      seconds,
      isBillable,
    ])
    assert.deepEqual(sheet, [
      ['Bob', `${item.key} Work`, hours(4), 1],
      ['Nora', `${item.key} Work`, hours(6), 1],
      ['Nora', `${item.key} Work`, hours(1), 0],
      ['Nora', 'TRN Training', hours(2), 0],
      ['Nora', 'LV Leave', hours(8), 0],
    ])
    assert.equal((await read(bob, 'team-timesheet', {})).length, 1)
    assert.equal((await read(eve, 'team-timesheet', {})).length, 0)
  })

  test('of a team shows no item that the caller does not see', async () => {
    const secret = await ada.post('/item', { title: 'Secret', containerId: paid })
    await nora.post('/time', { itemId: secret.id, date: '2026-04-16', minutes: 5, note: 'about it' })
    await ada.put(`/item/${secret.id}`, { visibility: itemVisibility.confidential })
    const own = (await read(nora, 'team-timesheet', { startDate: '2026-04-16T00:00:00Z' }))[0]
    assert.deepEqual([own?.label, own?.note], ['restricted item', 'about it'])
    const boss = await person({ name: 'Boss', role: 5 })
    assert.deepEqual(await read(boss, 'team-timesheet', { startDate: '2026-04-16T00:00:00Z' }), [])
  })

  test('compares what is left to do with what users can do', async () => {
    await ada.post('/item', { title: 'A', containerId: paid, remainingMinutes: 600, assignees: [nora.id] })
    await ada.post('/item', { title: 'B', containerId: paid, remainingMinutes: 120, assignees: [nora.id, bob.id] })
    await ada.post('/item', {
      title: 'C',
      containerId: paid,
      remainingMinutes: 999,
      assignees: [nora.id],
      status: 'Done',
    })
    const [row] = await read(bob, 'workload', { userIds: [nora.id] })
    const { drill, ...rest } = row ?? {}
    assert.deepEqual(rest, { user: nora.id, userLabel: 'Nora', items: 2, remaining: 660, capacity: 1920, load: 0.3438 })
    assert.deepEqual(
      (await bob.get(`/insight/drill/${drill}`)).map((each: Row) => each.title),
      ['A', 'B'],
    )
    await ada.post('/access-control', {
      userId: bob.id,
      effect: grantEffect.deny,
      permissions: ['field.remainingMinutes.*'],
    })
    assert.equal((await bob.ask('POST', '/insight/report/workload', { body: april })).status, 403)
  })
})
