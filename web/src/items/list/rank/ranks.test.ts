import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withRanks } from './ranks.ts'

describe('ranks that wait', () => {
  test('each goes by the order that the ones before have made', () => {
    const ranks = [
      { id: 'a', after: 'b' },
      { id: 'a', after: 'c' },
      { id: 'd', before: 'b' },
    ]
    assert.deepEqual(withRanks(['a', 'b', 'c', 'd'], ranks), ['d', 'b', 'c', 'a'])
  })

  test('an item whose neighbour is not in the list stays where it is', () => {
    assert.deepEqual(withRanks(['a', 'b'], [{ id: 'b', before: 'x' }]), ['a', 'b'])
  })
})
