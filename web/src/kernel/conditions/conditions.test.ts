import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codes } from '@gantry/sdk'
import { parseConditions, printConditions } from './condition-text.ts'
import { andAlso, type Conditions, fromGroups, toGroups } from './conditions.ts'

const conditions: Conditions = [
  [
    { path: 'status', operator: 'notIn', values: ['Done', 'Won’t; do: it, | or ~so'] },
    { path: 'assignees', operator: 'in', values: ['@me'] },
    { path: 'dueDate', operator: 'between', values: ['2026-11-01', '@today+2w'] },
  ],
  [
    { path: 'tags', operator: 'in', values: ['urgent-site'] },
    { path: 'cycleId', operator: 'isEmpty', values: [] },
  ],
]

describe('conditions', () => {
  test('go into an address and come back the same', () => {
    assert.deepEqual(parseConditions(printConditions(conditions)), conditions)
    assert.equal(
      printConditions([
        [{ path: 'tags', operator: 'in', values: ['a', 'b'] }],
        [{ path: 'dueDate', operator: 'isEmpty', values: [] }],
      ]),
      'tags:in:a,b|dueDate:isEmpty',
    )
    assert.equal(printConditions([]), '')
    assert.deepEqual(parseConditions(''), [])
  })

  test('what an address says wrongly is left out', () => {
    assert.deepEqual(parseConditions('status:is:Done;tags:in:hw|:in:x|nonsense'), [
      [{ path: 'tags', operator: 'in', values: ['hw'] }],
    ])
  })

  test('go to the service and come back the same', () => {
    assert.deepEqual(fromGroups(toGroups(conditions)), conditions)
    assert.deepEqual(toGroups([[{ path: 'dueDate', operator: 'between', values: ['a', 'b'] }], []]), [
      { condition: [{ leftSide: 'dueDate', operator: codes.operator.between, rightSide: 'a..b' }] },
    ])
  })

  test('a list that somebody wrote as one literal is one value', () => {
    const groups = [{ condition: [{ leftSide: 'status', operator: codes.operator.in, rightSide: 'Done' }] }]
    assert.deepEqual(fromGroups(groups), [[{ path: 'status', operator: 'in', values: ['Done'] }]])
  })

  test('a further condition is added to every alternative', () => {
    const open = { path: 'closedAt', operator: 'isEmpty', values: [] } as const
    assert.deepEqual(andAlso([], open), [[open]])
    assert.deepEqual(
      andAlso(conditions, open).map(group => group.at(-1)),
      [open, open],
    )
  })
})
