import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { formatDecimal, percentOf, unitsOf } from '../../language/decimal.ts'
import { lineAmount, type PricedLine, totalsOf } from './invoice-math.ts'
import { numberText } from './invoice-series.ts'

const line = (quantity: string, price: string, taxRate = '19', taxCategory = 'S'): PricedLine => ({
  quantity,
  price,
  taxRate,
  taxCategory,
})

describe('the amounts of an invoice', () => {
  const cases: [string, string, number, string][] = [
    ['0.5', '27.5', 2, '13.75'],
    ['0.8333', '100', 2, '83.33'],
    ['0.3333', '10001', 0, '3333'],
    ['82.0667', '140', 2, '11489.34'],
    ['-1', '120', 2, '-120.00'],
    ['1', '0.125', 2, '0.13'],
    ['-1', '0.125', 2, '-0.13'],
  ]
  for (const [quantity, price, digits, amount] of cases)
    test(`${quantity} × ${price} is ${amount}`, () =>
      assert.equal(formatDecimal(lineAmount(line(quantity, price), digits), digits), amount))

  test('tax is computed once for each category and rate', () => {
    const lines = [line('82.0667', '140'), line('430.85', '150'), line('680.2167', '120')]
    assert.deepEqual(totalsOf(lines, 2), {
      net: '157742.84',
      gross: '187713.98',
      taxes: [{ category: 'S', rate: '19', net: '157742.84', tax: '29971.14' }],
    })
    const mixed = totalsOf([line('1', '10'), line('1', '10', '7'), line('1', '5', '0', 'Z')], 2)
    assert.deepEqual(
      [mixed.net, mixed.gross, mixed.taxes.map(each => each.tax)],
      ['25.00', '27.60', ['1.90', '0.70', '0.00']],
    )
    assert.deepEqual(totalsOf([], 2), { net: '0.00', gross: '0.00', taxes: [] })
  })

  test('BR-CO-10, 14, 15 and 17 hold for all lines', () => {
    const decimal = fc.bigInt({ min: -10_000_000n, max: 10_000_000n }).map(units => formatDecimal(units))
    const priced = fc.record({
      quantity: decimal,
      price: decimal,
      taxRate: fc.constantFrom('0.0000', '7.0000', '19.0000', '8.1000'),
      taxCategory: fc.constantFrom('S', 'AE'),
    })
    fc.assert(
      fc.property(fc.array(priced, { maxLength: 20 }), fc.constantFrom(0, 2, 3), (lines, digits) => {
        const { net, gross, taxes } = totalsOf(lines, digits)
        const sum = (all: readonly bigint[]) => all.reduce((total, each) => total + each, 0n)
        assert.equal(unitsOf(net), sum(lines.map(each => lineAmount(each, digits))))
        assert.equal(unitsOf(net), sum(taxes.map(each => unitsOf(each.net))))
        assert.equal(unitsOf(gross), unitsOf(net) + sum(taxes.map(each => unitsOf(each.tax))))
        for (const each of taxes)
          assert.equal(unitsOf(each.tax), percentOf(unitsOf(each.net), unitsOf(each.rate), digits))
      }),
    )
  })

  test('a number has the parts of its pattern', () => {
    assert.equal(numberText('INV-{yyyy}-{0000}', 7, '2026-04-30'), 'INV-2026-0007')
    assert.equal(numberText('{yy}{mm}/{00}', 12345, '2026-04-30'), '2604/12345')
  })
})
