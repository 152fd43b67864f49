import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { RRuleTemporal } from 'rrule-temporal'
import { occurrences, rruleFault } from './recurrence.ts'

const berlin = (rule: string, day = '2026-03-31') => ({ rule, day, at: '09:00', timezone: 'Europe/Berlin' })
const spring = new Date('2026-05-01T00:00:00Z')

/** Returns the days found, and the periods that the calendar library was allowed to try for them. */
function search(rule: string, day?: string) {
  const next = mock.method(RRuleTemporal.prototype, 'next')
  try {
    const days = occurrences(berlin(rule, day), spring, 3).map(each => each.toPlainDate().toString())
    const tries = next.mock.calls.map(({ this: times }) => Number(Object(times).maxIterations))
    return { days, tries: tries.reduce((sum, each) => sum + each, 0) }
  } finally {
    next.mock.restore()
  }
}

describe('a recurrence', () => {
  const never = [
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTH=2,4;BYMONTHDAY=31',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30;COUNT=5',
    'FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1',
    'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
    'FREQ=DAILY;BYSETPOS=366',
    'FREQ=YEARLY;BYSETPOS=2',
    'FREQ=YEARLY;BYDAY=MO;BYSETPOS=200',
  ]
  for (const rule of never) {
    test(`that never holds is recognised without the calendar library: ${rule}`, () => {
      assert.deepEqual(search(rule), { days: [], tries: 0 })
    })
  }

  test('whose interval passes over every possible day is given up after a bounded number of periods', () => {
    for (const rule of ['FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29', 'FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1']) {
      const { days, tries } = search(rule)
      assert.deepEqual(days, [])
      assert.ok(tries <= 800, `${rule}: ${tries}`)
    }
  })

  const rare: [string, string[]][] = [
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29', ['2028-02-29', '2032-02-29', '2036-02-29']],
    ['FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3;BYMINUTE=7', ['2028-02-29', '2032-02-29', '2036-02-29']],
    ['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=5SU', ['2032-02-29', '2060-02-29', '2088-02-29']],
    ['FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR', ['2026-11-13', '2027-08-13', '2028-10-13']],
    ['FREQ=YEARLY;BYYEARDAY=366', ['2028-12-31', '2032-12-31', '2036-12-31']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', ['2026-05-29', '2026-06-30', '2026-07-31']],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2', ['2028-02-29', '2032-02-29']],
    ['FREQ=DAILY;COUNT=300', ['2026-05-01', '2026-05-02', '2026-05-03']],
  ]
  test('with COUNT ends after so many occurrences, which are counted once', () => {
    const daily = berlin('FREQ=DAILY;COUNT=60') // until 29 May
    const left = (after: string) => occurrences(daily, new Date(after), 5).map(each => each.toPlainDate().toString())
    assert.deepEqual(left('2026-05-27T12:00:00Z'), ['2026-05-28', '2026-05-29'])
    assert.deepEqual(left('2026-05-29T12:00:00Z'), [])
    assert.deepEqual(left('2026-03-01T12:00:00Z').slice(0, 2), ['2026-03-31', '2026-04-01'])
    const next = mock.method(RRuleTemporal.prototype, 'next')
    try {
      const old = berlin('FREQ=DAILY;COUNT=366', '1990-01-01')
      assert.deepEqual(occurrences(old, spring, 5), [])
      assert.ok(next.mock.callCount() <= 2 * 367, `${next.mock.callCount()}`)
      next.mock.resetCalls()
      assert.deepEqual(occurrences(old, spring, 5), [])
      assert.ok(next.mock.callCount() <= 2, `${next.mock.callCount()}`)
    } finally {
      next.mock.restore()
    }
  })

  test('with more times in a period than the library can list is refused, and has none if it is stored', () => {
    const [hours, minutes] = [24, 60].map(most => Array.from({ length: most }, (_, n) => n).join(','))
    for (const frequency of ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY']) {
      const rule = `FREQ=${frequency};BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${hours};BYMINUTE=${minutes}`
      assert.match(rruleFault(rule) ?? '', /at most \d+ times in one of its periods/)
      assert.deepEqual(search(rule), { days: [], tries: 0 })
    }
    assert.match(rruleFault('FREQ=YEARLY;BYDAY=MO,TU') ?? '', /at most 100 times/)
    for (const rule of [
      'FREQ=YEARLY;BYMONTH=6,7,8;BYDAY=MO,TU,WE,TH,FR',
      'FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=8,9;BYMINUTE=0,30',
    ])
      assert.equal(rruleFault(rule), undefined)
  })

  test('is counted in one go, or without trying the periods between two rare days', () => {
    const next = mock.method(RRuleTemporal.prototype, 'next')
    try {
      assert.deepEqual(occurrences(berlin('FREQ=WEEKLY;BYDAY=MO,TU;COUNT=366', '2020-01-01'), spring, 5), [])
      assert.ok(next.mock.callCount() <= 2, `${next.mock.callCount()}`)
    } finally {
      next.mock.restore()
    }
    const { days, tries } = search('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=366', '1900-01-01')
    assert.deepEqual(days, ['2028-02-29', '2032-02-29', '2036-02-29'])
    assert.ok(tries <= 40 * 405, `${tries}`)
  })

  test('counts at most 366 occurrences', () => {
    assert.equal(rruleFault('FREQ=DAILY;COUNT=366'), undefined)
    assert.match(rruleFault('FREQ=DAILY;COUNT=367') ?? '', /COUNT is at most 366/)
  })

  for (const [rule, days] of rare)
    test(`that holds rarely is found: ${rule}`, () => assert.deepEqual(search(rule).days, days))
})
