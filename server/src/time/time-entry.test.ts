import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EntrySpan, localDay, readTimeSpan, type TimeInput } from './time-entry.ts'

const now = new Date('2026-03-31T22:30:00Z')
const read = (input: object, timezone = 'UTC') => readTimeSpan(input, { timezone, now })

test('the length is minutes, hours, or the time between a start and an end', () => {
  assert.deepEqual(read({ date: '2026-03-01', minutes: 45 }), {
    date: '2026-03-01',
    start: null,
    end: null,
    seconds: 2700,
    minutes: 45,
  })
  assert.deepEqual(read({ date: '2026-03-01', hours: 1.25 }), {
    date: '2026-03-01',
    start: null,
    end: null,
    seconds: 4500,
    minutes: 75,
  })
  assert.deepEqual(read({ start: '2026-03-01T09:00:00+01:00', end: '2026-03-01T10:30:00+01:00' }), {
    date: '2026-03-01',
    start: '2026-03-01T08:00:00.000Z',
    end: '2026-03-01T09:30:00.000Z',
    seconds: 5400,
    minutes: 90,
  })
})

test('the length is the elapsed time when clocks change to or from summer time', () => {
  assert.deepEqual(read({ start: '2026-03-29T01:00:00+01:00', end: '2026-03-29T03:00:00+02:00' }, 'Europe/Berlin'), {
    date: '2026-03-29',
    start: '2026-03-29T00:00:00.000Z',
    end: '2026-03-29T01:00:00.000Z',
    seconds: 3600,
    minutes: 60,
  })
})

test('the day is the one in the time zone of the user', () => {
  assert.equal(localDay(now, 'Europe/Berlin'), '2026-04-01')
  assert.equal(localDay(now, 'America/New_York'), '2026-03-31')
  assert.deepEqual(read({ minutes: 5 }, 'Pacific/Auckland'), {
    date: '2026-04-01',
    start: null,
    end: null,
    seconds: 300,
    minutes: 5,
  })
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

test('lengths are whole seconds, and minutes are the rounded seconds', () => {
  const spans: [TimeInput, number, number][] = [
    [{ seconds: 630 }, 630, 11],
    [{ seconds: 629 }, 629, 10],
    [{ hours: 0.175 }, 630, 11],
    [{ hours: 0.3333 }, 1200, 20],
    [{ start: '2026-03-01T09:00:00.900Z', end: '2026-03-01T09:10:30.100Z' }, 630, 11],
    [{ seconds: 630, minutes: 11, hours: 0.175 }, 630, 11],
    [{ seconds: 0 }, 0, 0],
  ]
  for (const [input, seconds, minutes] of spans) {
    const span = read(input)
    assert.ok(!Array.isArray(span), JSON.stringify(input))
    assert.deepEqual([span.seconds, span.minutes], [seconds, minutes], JSON.stringify(input))
  }
})

test('of a record that is sent back, the values that changed count', () => {
  const before: EntrySpan = {
    date: '2026-03-01',
    start: '2026-03-01T09:00:00.000Z',
    end: '2026-03-01T09:10:30.000Z',
    seconds: 630,
    minutes: 11,
  }
  const changed = (input: TimeInput) => readTimeSpan(input, { timezone: 'UTC', now, before })
  const length = (input: TimeInput) => {
    const span = changed({ ...before, ...input })
    return Array.isArray(span) ? span.map(each => [each.Field, each.Code]) : [span.seconds, span.start, span.end]
  }
  const [start, end] = [before.start, before.end]
  assert.deepEqual(length({}), [630, start, end])
  assert.deepEqual(length({ minutes: 20 }), [1200, start, '2026-03-01T09:20:00.000Z'])
  assert.deepEqual(length({ seconds: 60 }), [60, start, '2026-03-01T09:01:00.000Z'])
  assert.deepEqual(length({ hours: 0.5 }), [1800, start, '2026-03-01T09:30:00.000Z'])
  assert.deepEqual(length({ end: '2026-03-01T10:00:00Z' }), [3600, start, '2026-03-01T10:00:00.000Z'])
  assert.deepEqual(length({ start: '2026-03-01T09:10:00Z' }), [30, '2026-03-01T09:10:00.000Z', end])
  assert.deepEqual(length({ start: '2026-03-01T09:10:00Z', minutes: 1 }), [
    60,
    '2026-03-01T09:10:00.000Z',
    '2026-03-01T09:11:00.000Z',
  ])
  assert.deepEqual(length({ minutes: 20, seconds: 1230 }), [['minutes', 'duration-conflict']])
  assert.deepEqual(length({ minutes: 30, end: '2026-03-01T10:00:00Z' }), [['minutes', 'duration-conflict']])
})

test('a new start moves the day, unless another day is given with it', () => {
  const before = { date: '2026-03-01', start: '2026-03-01T09:00:00.000Z', end: null, seconds: 60, minutes: 1 }
  const day = (input: TimeInput) => {
    const span = readTimeSpan({ date: before.date, ...input }, { timezone: 'UTC', now, before })
    return Array.isArray(span) ? span : span.date
  }
  assert.equal(day({ start: '2026-03-05T09:00:00Z' }), '2026-03-05')
  assert.equal(day({ start: '2026-03-05T09:00:00Z', date: '2026-03-04' }), '2026-03-04')
  assert.equal(day({ seconds: 90 }), '2026-03-01')
})
