import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Item } from '@gantry/sdk'
import type { Property } from '../../kernel/fields/field-type.ts'
import { batchesOf, commonValue, summaryOf } from './bulk-plan.ts'

const item = (id: string, values: Partial<Item>) => ({ id, ...values }) as Item // rows of a list, as far as the test needs them
const property = (path: keyof Item, type: Property['type']): Property => ({
  path,
  name: path,
  type,
  read: record => (record as Item)[path],
  write: value => ({ [path]: value }),
})
const tags = property('Tags', 'choices')
const items = [
  item('1', { Tags: ['a', 'b'], priority: 2 }),
  item('2', { Tags: ['a', 'c'], priority: 2 }),
  item('3', { Tags: ['a', 'b'], priority: 1 }),
]

describe('a change of many items', () => {
  test('one value is the same patch for all', () => {
    assert.deepEqual(batchesOf(property('priority', 'choice'), items, 1), [
      { ids: ['1', '2', '3'], patch: { priority: 1 } },
    ])
  })

  test('a label is added and taken away, and the others stay', () => {
    assert.deepEqual(commonValue(tags, items), ['a'])
    assert.deepEqual(batchesOf(tags, items, ['c']), [
      { ids: ['1', '3'], patch: { Tags: ['b', 'c'] } },
      { ids: ['2'], patch: { Tags: ['c'] } },
    ])
    assert.deepEqual(batchesOf(tags, items, ['a']), [])
  })

  test('values that differ have nothing in common', () => {
    assert.equal(commonValue(property('priority', 'choice'), items), undefined)
    assert.equal(commonValue(property('priority', 'choice'), items.slice(0, 2)), 2)
  })

  test('what people of the tenant wrote is the reason, as they wrote it', () => {
    const failed = { outcome: 'failed' as const, status: 422 }
    const Fields = [{ Field: 'dueDate', Code: 'required', Message: 'dringend braucht eine Frist' }]
    const { reasons } = summaryOf([
      { ...failed, id: '1', code: 'constraint-broken', detail: '1 constraint is broken', Fields },
      { ...failed, id: '2', code: 'vetoed', detail: 'erst nach der Inventur', Fields: [] },
    ])
    assert.deepEqual(reasons, [
      { why: 'dringend braucht eine Frist', ids: ['1'] },
      { why: 'erst nach der Inventur', ids: ['2'] },
    ])
  })

  test('refusals are counted by their reasons', () => {
    const failed = (id: string, Message: string) => ({
      id,
      outcome: 'failed' as const,
      status: 422,
      Fields: [{ Message }],
    })
    const summary = summaryOf([
      { id: '1', outcome: 'updated', status: 200 },
      { id: '2', outcome: 'unchanged', status: 200 },
      failed('3', 'no way'),
      failed('4', 'a cause is missing'),
      failed('5', 'a cause is missing'),
    ])
    assert.deepEqual(summary, {
      changed: 1,
      unchanged: 1,
      refused: 3,
      reasons: [
        { why: 'A cause is missing', ids: ['4', '5'] },
        { why: 'No way', ids: ['3'] },
      ],
    })
  })
})
