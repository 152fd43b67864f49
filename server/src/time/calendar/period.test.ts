import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clipped, type PeriodRule, periodKind, periodOf } from './period.ts'

const rule = (more: Partial<PeriodRule>): PeriodRule => ({
  kind: periodKind.week,
  weekStart: 1,
  dates: [],
  from: null,
  ...more,
})
const days = (more: Partial<PeriodRule>, day: string) => Object.values(periodOf(rule(more), day) ?? {})

test('a week begins on the weekday of the calendar', () => {
  assert.deepEqual(days({}, '2026-04-01'), ['2026-03-30', '2026-04-05'])
  assert.deepEqual(days({ weekStart: 7 }, '2026-04-05'), ['2026-04-05', '2026-04-11'])
  assert.deepEqual(days({ weekStart: 7 }, '2026-04-04'), ['2026-03-29', '2026-04-04'])
})

test('months and half months end with their last day, also in leap years', () => {
  assert.deepEqual(days({ kind: periodKind.month }, '2028-02-10'), ['2028-02-01', '2028-02-29'])
  assert.deepEqual(days({ kind: periodKind.halfMonth }, '2026-02-15'), ['2026-02-01', '2026-02-15'])
  assert.deepEqual(days({ kind: periodKind.halfMonth }, '2026-02-16'), ['2026-02-16', '2026-02-28'])
})

test('a custom period lasts until the day before the next one, and the last day begins none', () => {
  const custom = { kind: periodKind.custom, dates: ['2026-02-10', '2026-01-10', '2026-03-01'] }
  assert.deepEqual(days(custom, '2026-01-10'), ['2026-01-10', '2026-02-09'])
  assert.deepEqual(days(custom, '2026-02-28'), ['2026-02-10', '2026-02-28'])
  assert.deepEqual(days(custom, '2026-03-01'), [])
  assert.deepEqual(days(custom, '2026-01-09'), [])
})

test('the first period begins with the first day of the calendar', () => {
  assert.deepEqual(days({ from: '2026-04-01' }, '2026-03-31'), [])
  assert.deepEqual(days({ from: '2026-04-01' }, '2026-04-02'), ['2026-04-01', '2026-04-05'])
})

test('an unknown kind has no periods', () => {
  assert.deepEqual(days({ kind: 99 }, '2026-04-01'), [])
})

test('a new period is cut where others begin and end', () => {
  const week = { from: '2026-04-05', to: '2026-04-11' }
  const before = { from: '2026-03-30', to: '2026-04-05' }
  assert.deepEqual(clipped(week, '2026-04-08', [before]), { from: '2026-04-06', to: '2026-04-11' })
  assert.deepEqual(clipped(week, '2026-04-08', [before, { from: '2026-04-10', to: '2026-04-20' }]), {
    from: '2026-04-06',
    to: '2026-04-09',
  })
  assert.deepEqual(clipped(week, '2026-04-08', []), week)
})

test('the last week of all is cut', () => {
  assert.deepEqual(days({}, '9999-12-31'), ['9999-12-27', '9999-12-31'])
  assert.deepEqual(days({ weekStart: 7 }, '0001-01-01'), ['0001-01-01', '0001-01-06'])
})
