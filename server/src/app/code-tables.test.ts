import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intervals, limiters } from '../notify/notification/notification-codes.ts'
import { triggerEvents } from '../notify/trigger-event.ts'
import { isKnownCode } from '../records/code-table.ts'
import { triggers } from '../rules/rule/rule-codes.ts'
import { actionTypes, codeTables } from './code-tables.ts'

test('no table has two entries with the same code or the same name', () => {
  for (const { field, meanings } of codeTables) {
    assert.equal(new Set(meanings.map(({ code }) => code)).size, meanings.length, field)
    assert.equal(new Set(meanings.map(({ name }) => name)).size, meanings.length, field)
  }
})

test('every table has a meaning for zero', () => {
  for (const table of codeTables) assert.ok(isKnownCode(table, 0), table.field)
})

test('codes in the gaps of a table and beyond its end are unknown', () => {
  assert.ok(isKnownCode(triggers, 7) && !isKnownCode(triggers, 8) && !isKnownCode(triggers, -1))
  assert.ok(
    isKnownCode(triggerEvents, 25) &&
      !isKnownCode(triggerEvents, 26) &&
      isKnownCode(triggerEvents, 97) &&
      !isKnownCode(triggerEvents, 98),
  )
  assert.ok(
    isKnownCode(actionTypes, 32) &&
      !isKnownCode(actionTypes, 33) &&
      isKnownCode(actionTypes, 47) &&
      !isKnownCode(actionTypes, 48),
  )
})

test('an interval of 15 or more is a number of minutes, a limiter of 10 or more a cap', () => {
  assert.ok(
    isKnownCode(intervals, 9) &&
      !isKnownCode(intervals, 10) &&
      !isKnownCode(intervals, 14) &&
      isKnownCode(intervals, 15) &&
      isKnownCode(intervals, 2147483647),
  )
  assert.ok(
    isKnownCode(limiters, 6) &&
      !isKnownCode(limiters, 7) &&
      !isKnownCode(limiters, 9) &&
      isKnownCode(limiters, 10) &&
      !isKnownCode(limiters, -5),
  )
})
