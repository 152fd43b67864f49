import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isLong } from '../../../test/support/form.ts'
import type { Calendar } from '../calendar/calendar.ts'
import { openMinutes, wallMinutes } from './test-reference.ts'
import { unionTime, type WorkingTime, workingTime } from './working-time.ts'

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
const office = { ...always, dayStart: '09:00', dayEnd: '17:00', weekStart: 'Monday', weekEnd: 'Friday' }
const berlin = { ...office, timezone: 'Europe/Berlin' }
const minute = 60_000
const at = (text: string) => Date.parse(text)
const minutesIn = (calendar: Calendar, from: string, to: string) =>
  workingTime(calendar).between(at(from), at(to)) / minute
const after = (calendar: Calendar, from: string, minutes: number) =>
  new Date(workingTime(calendar).add(at(from), minutes * minute)).toISOString()
const before = (calendar: Calendar, from: string, minutes: number) =>
  new Date(workingTime(calendar).subtract(at(from), minutes * minute)).toISOString()

describe('working time', () => {
  test('a working day has the same hours in summer, in winter, and on the day of the change', () => {
    assert.equal(minutesIn(berlin, '2026-03-27T00:00Z', '2026-03-28T00:00Z'), 480)
    assert.equal(minutesIn({ ...berlin, weekEnd: 'Sunday' }, '2026-03-28T23:00Z', '2026-03-29T22:00Z'), 480)
    assert.equal(minutesIn({ ...always, timezone: 'Europe/Berlin' }, '2026-03-28T23:00Z', '2026-03-29T22:00Z'), 23 * 60)
    assert.equal(minutesIn({ ...always, timezone: 'Europe/Berlin' }, '2026-10-24T22:00Z', '2026-10-25T23:00Z'), 25 * 60)
  })

  test('a shift that would begin in the skipped hour begins at the change of the offset', () => {
    const early = { ...always, timezone: 'Europe/Berlin', dayStart: '02:30', dayEnd: '04:00' }
    assert.equal(minutesIn(early, '2026-03-28T23:00Z', '2026-03-29T22:00Z'), 60) // 03:00 to 04:00
    assert.equal(minutesIn(early, '2026-10-24T22:00Z', '2026-10-25T23:00Z'), 150) // 02:30 comes twice, the first counts
    const late = { ...early, dayStart: '01:00', dayEnd: '02:30' }
    assert.equal(minutesIn(late, '2026-03-28T23:00Z', '2026-03-29T22:00Z'), 60) // until the change of the offset
    assert.equal(minutesIn(late, '2026-10-24T22:00Z', '2026-10-25T23:00Z'), 150) // the second 02:30 ends it
  })

  test('a night shift belongs to the day on which it begins', () => {
    const night = { ...office, timezone: 'UTC', dayStart: '22:00', dayEnd: '06:00' }
    assert.equal(minutesIn(night, '2026-03-06T00:00Z', '2026-03-09T00:00Z'), 840) // Friday's runs into Saturday; Monday's begins later
    assert.equal(after(night, '2026-03-06T23:00Z', 420), '2026-03-07T06:00:00.000Z')
    assert.equal(after(night, '2026-03-06T23:00Z', 421), '2026-03-09T22:01:00.000Z')
  })

  test('breaks and days off do not count, and an exception opens a day', () => {
    const shifts = [
      { start: '09:00', end: '12:00' },
      { start: '13:00', end: '17:00' },
    ]
    const desk: Calendar = {
      ...always,
      schedule: [1, 2, 3, 4, 5].map(day => ({ day, intervals: shifts })),
      nonWorkingDay: ['--12-25', '2026-12-28/2026-12-31'],
      exceptions: [
        { date: '2026-12-24', intervals: [{ start: '09:00', end: '11:00' }] },
        { date: '2026-12-26', intervals: [{ start: '10:00', end: '11:00' }] },
      ],
    }
    assert.equal(minutesIn(desk, '2026-12-23T00:00Z', '2026-12-24T00:00Z'), 420)
    assert.equal(minutesIn(desk, '2026-12-24T00:00Z', '2027-01-01T00:00Z'), 180)
    assert.equal(after(desk, '2026-12-23T11:30Z', 60), '2026-12-23T13:30:00.000Z')
    assert.equal(before(desk, '2026-12-23T13:30Z', 60), '2026-12-23T11:30:00.000Z')
    assert.equal(after(desk, '2026-12-24T10:00Z', 121), '2027-01-01T09:01:00.000Z') // an hour, the extra hour, a minute
  })

  test('an amount of 0 outside of hours gives the next opening, and an amount that ends with a shift ends there', () => {
    assert.equal(after(berlin, '2026-03-28T12:00Z', 0), '2026-03-30T07:00:00.000Z')
    assert.equal(after(berlin, '2026-03-27T08:00Z', 480), '2026-03-27T16:00:00.000Z')
    assert.equal(after(berlin, '2026-03-27T15:00Z', 60), '2026-03-27T16:00:00.000Z')
    assert.equal(before(berlin, '2026-03-30T07:00Z', 60), '2026-03-27T15:00:00.000Z')
  })

  test('overlapping shifts count once', () => {
    const overlapping: Calendar = {
      ...always,
      schedule: [1, 2, 3, 4, 5, 6, 7].map(day => ({
        day,
        intervals: [
          { start: '20:00', end: '06:00' },
          { start: '05:00', end: '10:00' },
          { start: '08:00', end: '12:00' },
        ],
      })),
    }
    assert.equal(minutesIn(overlapping, '2026-05-04T00:00Z', '2026-05-05T00:00Z'), (12 + 4) * 60)
  })

  test('a calendar without open hours is refused, without an endless search', () => {
    const closed = { ...berlin, nonWorkingDay: ['2000-01-01/2999-12-31'] }
    assert.throws(() => workingTime(closed).add(at('2026-01-01T00:00Z'), minute), { code: 'clock-never-open' })
    assert.throws(() => workingTime(closed).subtract(at('2026-01-01T00:00Z'), 0), { code: 'clock-never-open' })
    assert.equal(workingTime(closed).between(at('2026-01-01T00:00Z'), at('2030-01-01T00:00Z')), 0)
    const rare = {
      ...always,
      nonWorkingDay: ['--01-02'],
      weekStart: '1',
      weekEnd: '1',
      dayStart: '09:00',
      dayEnd: '09:01',
    }
    assert.throws(() => workingTime(rare).add(at('2026-01-01T00:00Z'), 5_270_400 * minute), {
      code: 'clock-out-of-reach',
    })
  })
})

const calendars: Record<string, Omit<Calendar, 'timezone'>> = {
  'office hours': {
    ...office,
    nonWorkingDay: ['--12-25', '2026-08-03/2026-08-21', '2024-02-29'],
    exceptions: [{ date: '2025-06-09', intervals: [{ start: '10:00', end: '12:00' }] }],
    holidays: ['2024-05-01', '2025-01-01', '2025-06-09', '2026-12-24', '2027-03-26'].map(date => ({ date, name: '' })),
  },
  'round the clock': always,
  'nights from Sunday to Thursday': {
    ...always,
    dayStart: '22:15',
    dayEnd: '06:30',
    weekStart: 'Sunday',
    weekEnd: 'Thu',
    holidays: [{ date: '2025-03-30', name: 'The wall jumps' }, { date: '2025-12-31' }],
  },
  'the small hours, and more': {
    ...always,
    schedule: [1, 3, 5, 6, 7].map(day => ({
      day,
      intervals: [
        { start: '00:30', end: '02:30' },
        { start: '02:45', end: '03:15' },
        { start: '13:00', end: '24:00' },
        { start: '23:00', end: '01:00' },
      ],
    })),
    exceptions: [{ date: '2026-03-29', intervals: [{ start: '01:30', end: '02:30' }] }],
  },
}

/** Zones with every kind of change, each with a year that has it. */
const odd = {
  'Europe/Berlin': 2024,
  'America/New_York': 2024,
  'Australia/Lord_Howe': 2024,
  'Africa/Casablanca': 2024,
  'America/Havana': 2024,
  'Asia/Beirut': 2023,
  'Asia/Kathmandu': 2024,
  'Pacific/Apia': 2024,
  'America/Asuncion': 2024,
  'Africa/Cairo': 2023,
  'Antarctica/Troll': 2024,
  'Pacific/Chatham': 2024,
  'America/Scoresbysund': 2024,
}

/** The long form compares all zones and ten years, the short one a year of some zones. */
const zones = isLong
  ? Intl.supportedValuesOf('timeZone').map((zone): [string, number] => [zone, 2020])
  : Object.entries(odd)
const years = isLong ? 10 : 1

/** The moments from which and to which is compared, and those of the count of minutes, which begins earlier and ends later. */
function spanFrom(firstYear: number) {
  const [begin, end] = [Date.UTC(firstYear, 0, 1), Date.UTC(firstYear + years, 0, 1)]
  return { begin, end, from: begin - 6 * 86_400_000, to: end + 6 * 86_400_000 }
}

describe('working time, compared with a count of single minutes', () => {
  for (const [timezone, firstYear] of zones) {
    test(`is the same in ${timezone}`, () => {
      const { begin, end, from, to } = spanFrom(firstYear)
      const shown = wallMinutes(timezone, from, to)
      for (const [named, calendar] of Object.entries(calendars)) {
        const open = openMinutes({ ...calendar, timezone }, shown)
        const sums = new Int32Array(open.length + 1)
        for (let i = 0; i < open.length; i++) sums[i + 1] = (sums[i] ?? 0) + (open[i] ?? 0)
        hold({ named: `${named} in ${timezone}`, time: workingTime({ ...calendar, timezone }), sums, from, begin, end })
      }
    })
  }
})

/** Regions of a clock that follows the sun: with summer time in both hemispheres, by half hours and quarters, and beside the date line. */
const suns: Record<string, Calendar[]> = {
  'Berlin, New York and Lord Howe': ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'].map(timezone => ({
    ...always,
    ...calendars['office hours'],
    timezone,
  })),
  'Kolkata, Kathmandu and St. John’s': ['Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns'].map((timezone, i) => ({
    ...office,
    timezone,
    holidays: [{ date: `2024-05-0${i + 1}`, name: 'Only here' }],
  })),
  'nights in Apia, days in Chatham, the small hours in Troll': [
    { ...always, ...calendars['nights from Sunday to Thursday'], timezone: 'Pacific/Apia' },
    { ...office, weekEnd: 'Sunday', timezone: 'Pacific/Chatham' },
    { ...always, ...calendars['the small hours, and more'], timezone: 'Antarctica/Troll' },
  ],
  'two regions with the same hours': [berlin, berlin],
}

describe('working time of several regions, compared with a count of single minutes', () => {
  const { begin, end, from, to } = spanFrom(isLong ? 2020 : 2024)
  for (const [named, regions] of Object.entries(suns)) {
    test(`is the union of ${named}`, () => {
      const open = regions.map(each => openMinutes(each, wallMinutes(each.timezone, from, to)))
      const sums = new Int32Array((to - from) / minute + 1)
      for (let i = 0; i + 1 < sums.length; i++)
        sums[i + 1] = (sums[i] ?? 0) + (open.some(each => each[i] === 1) ? 1 : 0)
      hold({ named, time: unionTime(regions.map(workingTime)), sums, from, begin, end })
    })
  }

  test('is at least that of each region, at most their sum, and does not depend on their order', () => {
    const all = Object.values(suns).flat()
    const times = all.map(workingTime)
    let seed = 7
    const random = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % most
    }
    for (let i = 0; i < 200; i++) {
      const some = times.filter(() => random(3) === 0)
      const a = begin + random((end - begin) / minute) * minute
      const b = a + random(60 * 24 * 40) * minute
      const each = some.map(time => time.between(a, b))
      const together = unionTime(some).between(a, b)
      assert.ok(together >= Math.max(0, ...each))
      assert.ok(together <= each.reduce((sum, one) => sum + one, 0))
      assert.equal(unionTime(some.toReversed()).between(a, b), together)
      assert.equal(unionTime([...some, ...some]).between(a, b), together)
      const spans = unionTime(some).spans(a, b)
      assert.equal(
        spans.reduce((sum, span) => sum + span.to - span.from, 0),
        together,
      )
    }
  })

  test('no region is never open', () => {
    assert.throws(() => unionTime([]).add(begin, minute), { code: 'clock-never-open' })
  })
})

interface Held {
  named: string
  time: WorkingTime
  sums: Int32Array
  from: number
  begin: number
  end: number
}

/** Compares single days and spans of all lengths, and adds and subtracts amounts. */
function hold({ named, time, sums, from, begin, end }: Held): void {
  const counted = (a: number, b: number) => (sums[(b - from) / minute] ?? 0) - (sums[(a - from) / minute] ?? 0)
  const day = 86_400_000
  for (let a = begin; a < end; a += day)
    if (time.between(a, a + day) !== counted(a, a + day) * minute)
      assert.equal(time.between(a, a + day) / minute, counted(a, a + day), `${named} on ${new Date(a).toISOString()}`)
  let seed = 42
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % most
  }
  const span = (end - begin) / minute
  for (let i = 0; i < (isLong ? 400 : 100); i++) {
    const a = begin + random(span) * minute
    const b = a + random(Math.min(span, (end - a) / minute + 1)) * minute
    const told = `${named}: ${new Date(a).toISOString()} to ${new Date(b).toISOString()}`
    const amount = counted(a, b)
    assert.equal(time.between(a, b) / minute, amount, told)
    if (amount === 0) continue
    const there = time.add(a, amount * minute)
    assert.equal(counted(a, there), amount, `${told}, added`)
    assert.equal(counted(there - minute, there), 1, `${told}: it ends as soon as it can`)
    const back = time.subtract(b, amount * minute)
    assert.equal(counted(back, b), amount, `${told}, subtracted`)
    assert.equal(counted(back, back + minute), 1, `${told}: it begins as late as it can`)
  }
}
