import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocationUnit, type CapacityDay, spread } from './spread.ts'

const { minutesPerDay, totalMinutes, percent } = allocationUnit
const daysOf = (...capacities: number[]): CapacityDay[] =>
  capacities.map((capacity, i) => ({ date: `2026-04-${String(i + 1).padStart(2, '0')}`, capacity }))
const partsOf = (unit: number, amount: number, days: CapacityDay[]) => [...spread({ unit, amount }, days).values()]

test('a total is divided in proportion to the capacity, and the parts are the whole', () => {
  assert.deepEqual(partsOf(totalMinutes, 1000 / 60, daysOf(28_800, 28_800, 28_800)), [333, 333, 334])
  assert.deepEqual(partsOf(totalMinutes, 10, daysOf(28_800, 0, 14_400)), [400, 0, 200])
})

test('minutes a day are planned on days with capacity, a percentage is a part of it', () => {
  assert.deepEqual(partsOf(minutesPerDay, 90, daysOf(28_800, 0, 1)), [5400, 0, 5400])
  assert.deepEqual(partsOf(percent, 50, daysOf(28_800, 0, 14_400)), [14_400, 0, 7200])
  assert.deepEqual(partsOf(percent, 33.332, daysOf(28_800, 28_800)), [9599, 9600], 'rounded once, not by day')
})

test('without capacity all is on the first day', () => {
  assert.deepEqual(partsOf(totalMinutes, 10, daysOf(0, 0)), [600])
  assert.deepEqual(partsOf(minutesPerDay, 10, daysOf(0, 0)), [600])
  assert.deepEqual(partsOf(percent, 50, daysOf(0, 0)), [0])
  assert.deepEqual(partsOf(totalMinutes, 10, []), [])
  assert.deepEqual(partsOf(99, 10, daysOf(28_800)), [], 'an unknown unit plans nothing')
})

/** A sequence that looks random and is the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('for any capacities the parts add up, none is negative, and none is more than a second from its exact share', () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const next = numbers(seed)
    const days = daysOf(...Array.from({ length: 1 + next(30) }, () => (next(4) === 0 ? 0 : next(200_000_000))))
    const total = days.reduce((sum, each) => sum + each.capacity, 0)
    const seconds = next(60_000_000)
    const parts = spread({ unit: totalMinutes, amount: seconds / 60 }, days)
    assert.equal(
      [...parts.values()].reduce((sum, part) => sum + part, 0),
      seconds,
      `seed ${seed}`,
    )
    if (total === 0) continue
    for (const { date, capacity } of days) {
      const part = parts.get(date) ?? -1
      assert.ok(part >= 0 && Math.abs(part - (seconds * capacity) / total) <= 1, `seed ${seed} ${date}`)
    }
  }
})
