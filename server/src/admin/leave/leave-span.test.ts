import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayHalf, type LeaveSpan, spanFaults, takenOn } from './leave-span.ts'

const { whole, morning, afternoon } = dayHalf
const span = (from: string, to: string | null, fromHalf: number = whole, toHalf: number = whole): LeaveSpan => ({
  from,
  to,
  fromHalf,
  toHalf,
})

test('a morning and an afternoon are a whole day, whatever its length', () => {
  for (const amount of [0, 1, 2, 14_700, 28_800]) {
    const parts = [span('2026-04-22', '2026-04-22', morning), span('2026-04-22', '2026-04-22', afternoon)]
    assert.equal(takenOn(parts, '2026-04-22', amount), amount)
    assert.equal(takenOn(parts.slice(0, 1), '2026-04-22', amount), Math.floor(amount / 2))
    assert.equal(takenOn([span('2026-04-22', null), ...parts], '2026-04-22', amount), amount, 'never more than the day')
  }
})

test('the first day may begin at noon and the last one end there; the days between are whole', () => {
  const leave = span('2026-04-20', '2026-04-22', afternoon, morning)
  const taken = ['2026-04-19', '2026-04-20', '2026-04-21', '2026-04-22', '2026-04-23'].map(date =>
    takenOn([leave], date, 100),
  )
  assert.deepEqual(taken, [0, 50, 100, 50, 0])
  assert.equal(takenOn([span('2026-04-20', null)], '2030-01-01', 100), 100)
})

test('half days that leave a gap are reported, with all other faults', () => {
  const codes = (leave: LeaveSpan) => spanFaults(leave).map(({ Field, Code }) => `${Field} ${Code}`)
  assert.deepEqual(codes(span('2026-04-20', '2026-04-21', afternoon, morning)), [])
  assert.deepEqual(codes(span('2026-04-20', '2026-04-20', morning, morning)), [])
  assert.deepEqual(codes(span('2026-04-20', '2026-04-20', whole, morning)), ['toHalf half'])
  assert.deepEqual(codes(span('2026-04-20', '2026-04-21', morning, afternoon)), ['fromHalf half', 'toHalf half'])
  assert.deepEqual(codes(span('2026-04-20', null, whole, morning)), ['toHalf half'])
  assert.deepEqual(codes(span('2026-04-20', '2026-04-19', 3, -1)), ['to range', 'fromHalf enum', 'toHalf enum'])
})
