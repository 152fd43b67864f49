import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionType, codeTables, interval, knows, limiter, trigger, triggerEvent } from './codes.ts'

test('a code and a name are given out once', () => {
  for (const { field, meanings } of codeTables) {
    assert.equal(new Set(meanings.map(({ code }) => code)).size, meanings.length, field)
    assert.equal(new Set(meanings.map(({ name }) => name)).size, meanings.length, field)
  }
})

test('zero means something everywhere', () => {
  for (const table of codeTables) assert.ok(knows(table, 0), table.field)
})

test('the tables have no gap where there is none, and know of their gaps', () => {
  assert.ok(knows(trigger, 7) && !knows(trigger, 8) && !knows(trigger, -1))
  assert.ok(knows(triggerEvent, 25) && !knows(triggerEvent, 26) && knows(triggerEvent, 97) && !knows(triggerEvent, 98))
  assert.ok(knows(actionType, 32) && !knows(actionType, 33) && knows(actionType, 47) && !knows(actionType, 48))
})

test('an interval of 15 or more is a number of minutes, a limiter of 10 or more a cap', () => {
  assert.ok(
    knows(interval, 9) &&
      !knows(interval, 10) &&
      !knows(interval, 14) &&
      knows(interval, 15) &&
      knows(interval, 2147483647),
  )
  assert.ok(knows(limiter, 6) && !knows(limiter, 7) && !knows(limiter, 9) && knows(limiter, 10) && !knows(limiter, -5))
})
