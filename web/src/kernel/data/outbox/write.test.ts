import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Stored } from '../records/store.ts'
import { contested, enqueue, hasArrived, onTopOf, type Write } from './write.ts'

const write = (id: string, body: object, more: Partial<Write> = {}): Write => ({
  id,
  tab: 't',
  entity: 'Item',
  recordId: 'a',
  route: 'PATCH /item/{id}',
  text: '',
  body: { ...body },
  before: {},
  ...more,
})
const record = (values: object): Stored => ({ entity: 'Item', id: 'a', version: 2, ...values })

describe('a write that waits', () => {
  test('a newer value of a property replaces the older, and remembers what it replaced', () => {
    const first = write('1', { title: 'b', priority: 1 }, { before: { title: 'a', priority: 0 } })
    const second = write('2', { title: 'c' }, { before: { title: 'a' } })
    const { queue, replaced } = enqueue([first], second)
    assert.deepEqual(
      queue.map(({ id, body, before }) => ({ id, body, before })),
      [
        { id: '1', body: { priority: 1 }, before: { priority: 0 } },
        { id: '2', body: { title: 'c' }, before: { title: 'a' } },
      ],
    )
    assert.deepEqual(replaced, [])
    const third = enqueue(queue, write('3', { title: 'd', priority: 2 }, { before: { title: 'a', priority: 0 } }))
    assert.deepEqual(
      third.queue.map(({ id }) => id),
      ['3'],
    )
    assert.deepEqual(
      third.replaced.map(({ id }) => id),
      ['1', '2'],
    )
  })

  test('what may have arrived is not replaced, and neither are actions', () => {
    const first = write('1', { title: 'b' }, { before: { title: 'a' }, attempted: true })
    const moved = write('2', { title: 'b' }, { before: undefined })
    const { queue } = enqueue([first, moved], write('3', { title: 'c' }, { before: { title: 'a' } }))
    assert.deepEqual(
      queue.map(({ id }) => id),
      ['1', '2', '3'],
    )
  })

  test('it is contested where somebody else set another value, and nowhere else', () => {
    const mine = write('1', { title: 'mine', priority: 1 }, { before: { title: 'a', priority: 0 } })
    assert.deepEqual(contested(mine, record({ title: 'a', priority: 0 })), [])
    assert.deepEqual(contested(mine, record({ title: 'theirs', priority: 0 })), ['title'])
    assert.deepEqual(contested(mine, record({ title: 'mine', priority: 1 })), [])
  })

  test('of custom fields only those count that it names', () => {
    const field = (fieldId: string, value: unknown) => ({ fieldId, key: `k${fieldId}`, value })
    const mine = write('1', { Field: [{ fieldId: '1', value: 'x' }] }, { before: { Field: [field('1', 'a')] } })
    assert.deepEqual(contested(mine, record({ Field: [field('1', 'a'), field('2', 'new')] })), [])
    assert.deepEqual(contested(mine, record({ Field: [field('1', 'b')] })), ['Field'])
    assert.equal(hasArrived(mine, record({ Field: [field('1', 'x'), field('2', 'new')] })), true)
    const byKey = write('2', { Field: [{ key: 'k1', value: null }] }, { before: { Field: [field('1', 'a')] } })
    assert.equal(hasArrived(byKey, record({ Field: [] })), true)
  })

  test('it follows an earlier one of the same person without a conflict', () => {
    const first = write('1', { title: 'b' }, { before: { title: 'a' } })
    const [later] = onTopOf([write('2', { title: 'c' }, { before: { title: 'a' } })], first, record({ title: 'b' }))
    assert.deepEqual(later && contested(later, record({ title: 'b' })), [])
    assert.deepEqual(later && contested(later, record({ title: 'theirs' })), ['title'])
  })
})
