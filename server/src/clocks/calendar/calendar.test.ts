import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Calendar, everOpens, isDayOff, workingDays } from './calendar.ts'

const always: Calendar = {
  timezone: '',
  dayStart: '',
  dayEnd: '',
  weekStart: '',
  weekEnd: '',
  nonWorkingDay: [],
  schedule: [],
  exceptions: [],
}
const now = new Date('2026-03-02T12:00:00Z') // a Monday

describe('the calendar of a clock', () => {
  test('a day off is a day, a day of every year, or a range', () => {
    for (const text of ['2026-12-25', '--12-25', '--02-29', '2026-12-24/2026-12-31', '2026-12-24/2026-12-24']) {
      assert.ok(isDayOff(text), text)
    }
    for (const text of [
      '',
      'Christmas',
      '2026-02-30',
      '--02-30',
      '--13-01',
      '2026-12-31/2026-12-24',
      '2026-12-24/',
      '/2026-12-24',
      '2026-01-01/2026-01-02/2026-01-03',
      '--12-24/--12-31',
    ]) {
      assert.ok(!isDayOff(text), text)
    }
  })

  test('a week may wrap, and without an end it has seven working days', () => {
    const days = (weekStart: string, weekEnd: string) => [...workingDays({ ...always, weekStart, weekEnd })]
    assert.deepEqual(days('Monday', 'Friday'), [1, 2, 3, 4, 5])
    assert.deepEqual(days('sun', 'Thu'), [7, 1, 2, 3, 4])
    assert.deepEqual(days('3', '3'), [3])
    assert.deepEqual(days('', 'Fr'), [1, 2, 3, 4, 5])
    assert.equal(days('', '').length, 7)
    assert.deepEqual(days('Sunday', ''), [7, 1, 2, 3, 4, 5, 6])
  })

  test('a clock opens unless every day up to the horizon is off', () => {
    const opens = (more: Partial<Calendar>) => everOpens({ ...always, ...more }, now)
    assert.ok(opens({}))
    assert.ok(opens({ nonWorkingDay: ['2020-01-01/2027-04-04'] })) // the last day before the horizon is a working day
    assert.ok(!opens({ nonWorkingDay: ['2020-01-01/2027-04-05'] }))
    assert.ok(!opens({ nonWorkingDay: ['2026-07-01/2099-12-31', '2020-01-01/2026-06-30'] }))
    assert.ok(opens({ nonWorkingDay: ['2026-07-02/2099-12-31', '2020-01-01/2026-06-30'] }))
    assert.ok(!opens({ nonWorkingDay: ['2020-01-01/2099-12-31', '2026-05-05'] }))
    assert.ok(!opens({ nonWorkingDay: everyDayOfTheYear() }))
    assert.ok(opens({ nonWorkingDay: everyDayOfTheYear().slice(1) }))
  })

  test('a clock without open weekdays is found at once, however many days off there are', () => {
    const sundays = Array.from({ length: 999 }, (_, i) =>
      new Date(Date.UTC(2026, 2, 1 + 7 * i)).toISOString().slice(0, 10),
    )
    assert.ok(!everOpens({ ...always, weekStart: 'Sunday', weekEnd: 'Sunday', nonWorkingDay: sundays.reverse() }, now))
  })

  test('today is the day in the timezone of the clock', () => {
    const late = new Date('2026-03-02T23:30:00Z')
    const nonWorkingDay = ['2026-03-03/2027-12-31']
    assert.ok(everOpens({ ...always, timezone: 'America/New_York', nonWorkingDay }, late))
    assert.ok(!everOpens({ ...always, timezone: 'Asia/Tokyo', nonWorkingDay }, late))
  })
})

function everyDayOfTheYear(): string[] {
  return Array.from({ length: 366 }, (_, i) => `-${new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(4, 10)}`)
}
