import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionTypes } from '../containers/action/action.ts'
import { intervals, limiters } from '../notify/notification/notification-codes.ts'
import { triggerEvents } from '../notify/trigger-event.ts'
import { isKnownCode } from '../records/code-table.ts'
import { triggers } from '../rules/rule/rule-codes.ts'
import { codeTablesOf, schemasOf } from './code-tables.ts'
import { routes } from './routes/routes.ts'

const codeTables = codeTablesOf(routes)

test('no table has two entries with the same code or the same name', () => {
  for (const { field, meanings } of codeTables) {
    assert.equal(new Set(meanings.map(({ code }) => code)).size, meanings.length, field)
    assert.equal(new Set(meanings.map(({ name }) => name)).size, meanings.length, field)
  }
})

test('every table has a meaning for zero', () => {
  for (const table of codeTables) assert.ok(isKnownCode(table, 0), table.field)
})

test('a table of a name is the same wherever it is used', () => {
  for (const [path, { 'x-codes': table }] of schemasOf(routes))
    if (table)
      assert.deepEqual(
        table,
        codeTables.find(({ field }) => field === table.field),
        path,
      )
})

/** Integers of a few values that are numbers, and not codes. */
const plainNumbers = / (weekStart|day|score|quantityDecimals|weekdays items)$/

test('an integer with an enumerated set of values has a table', () => {
  const without = [...schemasOf(routes)].filter(([path, schema]) => {
    if (schema['x-codes'] || ![schema.type].flat().includes('integer')) return false
    const { enum: values, maximum = Number.POSITIVE_INFINITY, description = '' } = schema
    const isEnumerated = values !== undefined || maximum <= 8 || /\b0 .* · 1 /.test(description)
    return isEnumerated && !plainNumbers.test(path)
  })
  assert.deepEqual(
    without.map(([path]) => path),
    [],
  )
})

/** Properties that are codes wherever they are integers. */
const codeNames =
  /^(kind|state|statusCategory|category|priority|severity|visibility|role|owner|trigger|outcome|mode|level|reason|unit|period|behaviour|health|op|moment|effect|actionType)$/

test('an integer with the name of a code has a table', () => {
  const without = [...schemasOf(routes)].filter(
    ([path, schema]) =>
      [schema.type].flat().includes('integer') && !schema['x-codes'] && codeNames.test(path.split(' ').at(-1) ?? ''),
  )
  assert.deepEqual(
    without.map(([path]) => path),
    [],
  )
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
