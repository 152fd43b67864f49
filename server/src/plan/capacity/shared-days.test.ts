import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capacityReader, type Worker } from '../../admin/user-capacity.ts'
import { newId } from '../../kernel/id.ts'
import { daysBetween, daysReader } from './capacity.ts'

const days = daysBetween('2026-03-02', '2026-03-29') // four weeks from a Monday on
const clockId = newId()
const clock = {
  minutes: (id: string, date: string, weekday: number) =>
    id === clockId ? (date === '2026-03-11' || weekday > 5 ? 0 : 450) : undefined,
  holiday: (id: string, date: string) => (id === clockId && date === '2026-03-11' ? 'Day off' : null),
}
const contracts: Pick<Worker, 'workingHours' | 'capacity'>[] = [
  { workingHours: '', capacity: [] },
  { workingHours: 'Mon-Thu 09:00-17:00', capacity: [] },
  { workingHours: clockId, capacity: [] },
  { workingHours: '40', capacity: [{ from: '2026-03-16', minutesPerWeekday: [240, 240, 240, 0, 0, 0, 0] }] },
  { workingHours: '', capacity: [{ from: '2026-03-09', to: '2026-03-13', clockId }] },
]
const absences: Worker['absence'][] = [
  [],
  [{ from: '2026-03-04', to: '2026-03-06' }],
  [{ from: '2026-03-10', to: '2026-03-10', fromHalf: 1 }, { from: '2026-03-24' }],
  [{ from: '2026-01-01', to: '2026-03-02' }],
]
const bookings = [new Map<string, number>(), new Map([['2026-03-04', 3600]]), new Map([['2026-03-12', 99_999]])]
const cases = contracts.flatMap(contract =>
  absences.flatMap(absence => bookings.map(booked => ({ worker: { ...contract, absence }, booked }))),
)

/** What a user can work, computed for the user alone. */
function alone(worker: Worker, booked: ReadonlyMap<string, number>) {
  const capacityOn = capacityReader(worker, clock.minutes)
  return days.map(({ date, weekday }) => {
    const found = capacityOn(date, weekday)
    const contract = found.plannedMinutes * 60
    const leave = Math.min(contract, Math.max(found.absentSeconds, booked.get(date) ?? 0))
    const holiday = clock.holiday(found.clockId, date)
    const capacity = contract - leave
    return { ...found, date, contract, leave, capacity, holiday, minutes: Math.round(capacity / 60) }
  })
}

test('users of one contract share its days, and nobody gets the absence of another', () => {
  const read = daysReader(days, clock)
  for (const { worker, booked } of [...cases, ...cases.toReversed()])
    assert.deepEqual(read(worker, booked), alone(worker, booked), JSON.stringify([worker, [...booked]]))
})

test('days without an absence are computed once for all users with the same contract', () => {
  const read = daysReader(days, clock)
  const [one, other] = contracts.map(contract => ({ ...contract, absence: [] }))
  assert.ok(one && other)
  assert.equal(read(one), read({ ...one }))
  assert.notEqual(read(one), read(other))
  const away = read({ ...one, absence: [{ from: '2026-03-04', to: '2026-03-04' }] })
  assert.deepEqual(
    days.filter((_, i) => away[i] !== read(one)[i]).map(({ date }) => date),
    ['2026-03-04'],
  )
})
