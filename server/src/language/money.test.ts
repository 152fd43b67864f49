import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Invalid } from '../kernel/refusal.ts'
import { reader } from '../kernel/schema/shape.ts'
import { Factor, Money, Percent } from './money.ts'

const read = reader<Record<string, unknown>>({
  type: 'object',
  properties: { price: Money(), cost: Money({ least: '0' }), percent: Percent(), factor: Factor() },
})

function faults(body: object): string[] {
  try {
    read(body)
    return []
  } catch (error) {
    return error instanceof Invalid ? (error.faults ?? []).map(({ Pointer, Code }) => `${Pointer} ${Code}`) : ['?']
  }
}

test('an amount may be a text or a number and has one notation', () => {
  for (const price of [1234.5, '1234.5', '1234.50000', '01234.5000'])
    assert.deepEqual(read({ price }), { price: '1234.5000' })
  assert.deepEqual(read({ price: '-0.25', percent: 33.3333, factor: 2 }), {
    price: '-0.2500',
    percent: '33.3333',
    factor: '2.0000',
  })
})

test('what is no amount is named', () => {
  assert.deepEqual(faults({ price: 0.1 + 0.2 }), ['/price precision'])
  assert.deepEqual(faults({ price: '1.23456', cost: 'much' }), ['/price precision', '/cost decimal'])
  assert.deepEqual(faults({ price: 1e21, cost: -1 }), ['/price decimal', '/cost range'])
  assert.deepEqual(faults({ price: '1000000000000000', factor: 100, percent: 1000 }), [
    '/price range',
    '/percent range',
    '/factor range',
  ])
  assert.deepEqual(faults({ price: true }), ['/price type'])
})
