import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localDay, readTimeSpan } from './time-entry.ts'

const now = new Date('2026-03-31T22:30:00Z')
const read = (input: object, timezone = 'UTC') => readTimeSpan(input, { timezone, now })

test('the length is minutes, hours, or the time between a start and an end', () => {
  assert.deepEqual(read({ date: '2026-03-01', minutes: 45 }), {
    date: '2026-03-01',
    start: null,
    end: null,
    minutes: 45,
  })
  assert.deepEqual(read({ date: '2026-03-01', hours: 1.25 }), {
    date: '2026-03-01',
    start: null,
    end: null,
    minutes: 75,
  })
  assert.deepEqual(read({ start: '2026-03-01T09:00:00+01:00', end: '2026-03-01T10:30:00+01:00' }), {
    date: '2026-03-01',
    start: '2026-03-01T08:00:00.000Z',
    end: '2026-03-01T09:30:00.000Z',
    minutes: 90,
  })
})

test('the length is the elapsed time when clocks change to or from summer time', () => {
  assert.deepEqual(read({ start: '2026-03-29T01:00:00+01:00', end: '2026-03-29T03:00:00+02:00' }, 'Europe/Berlin'), {
    date: '2026-03-29',
    start: '2026-03-29T00:00:00.000Z',
    end: '2026-03-29T01:00:00.000Z',
    minutes: 60,
  })
})

test('the day is the one in the time zone of the user', () => {
  assert.equal(localDay(now, 'Europe/Berlin'), '2026-04-01')
  assert.equal(localDay(now, 'America/New_York'), '2026-03-31')
  assert.deepEqual(read({ minutes: 5 }, 'Pacific/Auckland'), { date: '2026-04-01', start: null, end: null, minutes: 5 })
})

test('an entry without a length, or with a negative or too large one, is refused', () => {
  for (const input of [
    {},
    { minutes: -1 },
    { hours: 100_000 },
    { start: '2026-03-01T10:00:00Z', end: '2026-03-01T09:00:00Z' },
    { start: '2026-03-01T10:00:00Z' },
  ]) {
    assert.ok(Array.isArray(read(input)), JSON.stringify(input))
  }
})
