import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitByLargestRemainder } from './largest-remainder.ts'

const weights = fc
  .array(fc.bigInt({ min: 0n, max: 1_000_000n }), { minLength: 1, maxLength: 12 })
  .filter(each => each.some(weight => weight > 0n))

test('the parts sum to the whole, and each differs from its exact share by less than one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), weights, (total, given) => {
      const parts = splitByLargestRemainder(total, given)
      const sum = given.reduce((a, b) => a + b)
      assert.equal(
        parts.reduce((a, b) => a + b),
        total,
      )
      for (const [i, part] of parts.entries()) {
        const off = part * sum - total * (given[i] ?? 0n)
        assert.ok(off < sum && off > -sum, `${part} of ${total}`)
      }
    }),
  )
})

test('the parts of a correction cancel those of what it corrects', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 9n }), weights, (total, given) => {
      const parts = splitByLargestRemainder(total, given)
      assert.deepEqual(
        splitByLargestRemainder(-total, given),
        parts.map(part => -part),
      )
    }),
  )
})

test('what is left goes to the largest remainders, of equal ones to the first', () => {
  assert.deepEqual(splitByLargestRemainder(100n, [333_333n, 333_333n, 333_334n]), [33n, 33n, 34n])
  assert.deepEqual(splitByLargestRemainder(1000n, [1n, 1n, 1n]), [334n, 333n, 333n])
  assert.deepEqual(splitByLargestRemainder(1n, [1n, 1n]), [1n, 0n])
  assert.deepEqual(splitByLargestRemainder(10n, [0n, 5n, 0n]), [0n, 10n, 0n])
  assert.throws(() => splitByLargestRemainder(1n, [0n, 0n]), /positive sum/)
})
