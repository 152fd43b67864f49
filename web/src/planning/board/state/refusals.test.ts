import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalsOf } from './refusals.ts'

test('each refused card says its own reason, and the others say nothing', () => {
  const problem = {
    message: '1 of 2 items cannot be moved, so none is',
    body: { refused: [{ id: 'b', code: 'forbidden', detail: 'You may not change it' }] },
  }
  assert.deepEqual(refusalsOf(problem, ['a', 'b']), [[['b'], 'You may not change it.']])
})

test('a reason that concerns all cards is said by all of them', () => {
  const problem = { message: 'the limit is reached', body: { code: 'wip-limit', limit: 1, load: 2 } }
  assert.deepEqual(refusalsOf(problem, ['a', 'b']), [[['a', 'b'], 'The limit is 1, this would make 2.']])
})
