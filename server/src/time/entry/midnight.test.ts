import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayLimit } from './day-limit.ts'
import { splitAtMidnights } from './midnight.ts'

const parts = (start: string, end: string, timezone: string) =>
  splitAtMidnights(start, end, timezone).map(({ date, seconds }) => [date, seconds])

test('a span is cut at the midnights of the time zone, also where clocks are changed', () => {
  assert.deepEqual(parts('2026-03-28T21:30:00Z', '2026-03-29T01:30:00Z', 'Europe/Berlin'), [
    ['2026-03-28', 5400],
    ['2026-03-29', 9000],
  ])
  assert.deepEqual(parts('2026-10-24T21:00:00Z', '2026-10-25T23:30:00Z', 'Europe/Berlin'), [
    ['2026-10-24', 3600],
    ['2026-10-25', 90_000],
    ['2026-10-26', 1800],
  ])
  assert.deepEqual(parts('2026-09-06T03:30:00Z', '2026-09-06T04:45:00Z', 'America/Santiago'), [
    ['2026-09-05', 1800],
    ['2026-09-06', 2700],
  ])
  assert.deepEqual(parts('2026-03-31T18:00:00Z', '2026-03-31T19:00:00Z', 'Asia/Kolkata'), [
    ['2026-03-31', 1800],
    ['2026-04-01', 1800],
  ])
})

test('a span within one day, up to midnight or of no length is one part', () => {
  assert.deepEqual(parts('2026-03-28T21:30:00Z', '2026-03-28T23:00:00Z', 'Europe/Berlin'), [['2026-03-28', 5400]])
  assert.deepEqual(parts('2026-03-28T21:30:00Z', '2026-03-28T21:30:00Z', 'Europe/Berlin'), [['2026-03-28', 0]])
})

test('a day holds its real length, which a setting lowers or lifts', () => {
  const hours: [string, string, number, number][] = [
    ['2026-03-29', 'Europe/Berlin', 0, 23],
    ['2026-03-30', 'Europe/Berlin', 0, 24],
    ['2026-10-25', 'Europe/Berlin', 0, 25],
    ['2026-04-05', 'Australia/Lord_Howe', 0, 24.5],
    ['2026-10-25', 'Europe/Berlin', 600, 10],
    ['2026-03-29', 'Europe/Berlin', 1440, 23],
    ['2026-03-29', 'Europe/Berlin', 3000, 50],
  ]
  for (const [date, timezone, setting, expected] of hours)
    assert.equal(dayLimit(date, timezone, setting) / 3600, expected, `${date} ${timezone} ${setting}`)
})
