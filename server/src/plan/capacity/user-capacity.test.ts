import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { codeKind } from '../../finance/non-billable.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'

const { ada, bob, eve, person } = await sharedTestService()
const week = [480, 480, 480, 480, 240, 0, 0]

interface Day {
  date: string
  minutes: number
  plannedMinutes: number
  source: string
  since: string | null
  clockId: string
  absence: { from: string; to: string | null } | null
}

const days = async (id: string, from: string, to: string): Promise<Day[]> =>
  await bob.get(`/user/${id}/capacity?from=${from}&to=${to}`)
const told = (all: Day[]) => all.map(({ minutes, source }) => `${minutes} ${source}`)

test('capacity is listed by day: entries precede working hours, these precede the default, and days of absence have none', async () => {
  const { id } = await ada.post('/user', {
    name: 'Cap',
    workingHours: 'Mon-Fri 09:00-16:00',
    capacity: [
      { from: '2026-06-03', to: '2026-06-04', minutesPerWeekday: [60, 60, 60, 60, 60, 0, 0] },
      { from: '2026-06-08', minutesPerWeekday: week },
    ],
    absence: [{ from: '2026-06-04', to: '2026-06-05', kind: 1, note: 'secret' }, { from: '2026-06-10' }],
  })
  // 2026-06-01 is a Monday.
  const all = await days(id, '2026-06-01', '2026-06-11')
  assert.deepEqual(told(all), [
    '420 workingHours',
    '420 workingHours',
    '60 capacity',
    '0 capacity',
    '0 workingHours',
    '0 workingHours',
    '0 workingHours',
    '480 capacity',
    '480 capacity',
    '0 capacity',
    '0 capacity',
  ])
  assert.deepEqual(all[3], {
    date: '2026-06-04',
    minutes: 0,
    plannedMinutes: 60,
    source: 'capacity',
    since: '2026-06-03',
    clockId: '',
    absence: { from: '2026-06-04', to: '2026-06-05' },
  })
  assert.deepEqual(all[9]?.absence, { from: '2026-06-10', to: null })
  assert.ok(!JSON.stringify(all).includes('secret'))
  const plain = await ada.post('/user', { name: 'Plain', workingHours: 'when it suits' })
  assert.deepEqual(told(await days(plain.id, '2026-06-05', '2026-06-06')), ['480 default', '0 default'])
  assert.equal((await bob.get(`/user/${plain.id}/capacity`)).length, 28)
})

test('a clock determines the capacity where the working hours or an entry name it, with its days off', async () => {
  const clock = await ada.post('/clock', {
    name: 'Office',
    dayStart: '09:00',
    dayEnd: '17:30',
    weekStart: 'Monday',
    weekEnd: 'Friday',
    nonWorkingDay: ['2026-06-03'],
  })
  const { id } = await ada.post('/user', {
    name: 'Clocked',
    workingHours: clock.id.toUpperCase(),
    capacity: [
      { from: '2026-06-08', to: '2026-06-09', clockId: clock.id },
      { from: '2027-06-02', minutesPerWeekday: [300, 300, 300, 300, 300, 0, 0], clockId: clock.id },
    ],
  })
  const all = await days(id, '2026-06-02', '2026-06-08')
  assert.deepEqual(told(all), ['510 clock', '0 clock', '510 clock', '510 clock', '0 clock', '0 clock', '510 clock'])
  assert.deepEqual([all[0]?.clockId, all[0]?.since, all[6]?.since], [clock.id, null, '2026-06-08'])
  await ada.put(`/clock/${clock.id}`, { nonWorkingDay: ['--06-03'] })
  assert.deepEqual(told(await days(id, '2027-06-02', '2027-06-04')), ['300 capacity', '0 capacity', '300 capacity'])
})

test('only staff read capacity, for users of the tenant and a limited number of days', async () => {
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  assert.equal((await rita.ask('GET', `/user/${bob.id}/capacity`)).status, 403)
  assert.equal((await eve.ask('GET', `/user/${bob.id}/capacity`)).status, 404)
  const ask = async (query: string) => (await bob.ask('GET', `/user/${bob.id}/capacity?${query}`)).status
  assert.equal(await ask('from=2026-06-01&to=2027-07-05'), 200)
  for (const query of [
    'from=soon',
    'to=2026-02-30',
    'from=2026-06-02&to=2026-06-01',
    'from=2026-06-01&to=2027-07-06',
    'from=9999-12-31',
  ])
    assert.equal(await ask(query), 400, query)
})

test('an absence and time on a code of leave on the same day are counted once', async () => {
  const code = await ada.post('/finance/non-billable', { code: 'VAC', name: 'Vacation', kind: codeKind.leave })
  const training = await ada.post('/finance/non-billable', { code: 'TRN', name: 'Training', kind: codeKind.training })
  const { id } = await ada.post('/user', { name: 'Counted', absence: [{ from: '2026-06-01', to: '2026-06-01' }] })
  const book = (nonBillable: string, date: string, minutes: number) =>
    ada.post('/time', { userId: id, nonBillable, date, minutes })
  await book(code.id, '2026-06-01', 480)
  await book(code.id, '2026-06-02', 180)
  await book(code.id, '2026-06-03', 600)
  await book(training.id, '2026-06-04', 480)
  const all = await days(id, '2026-06-01', '2026-06-04')
  assert.deepEqual(
    all.map(({ minutes, plannedMinutes }) => [minutes, plannedMinutes]),
    [
      [0, 480],
      [300, 480],
      [0, 480],
      [480, 480],
    ],
  )
})
