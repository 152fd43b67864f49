import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sharedTestService } from '../../test/support/people.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import {
  amountOfTime,
  digitsOf,
  divide,
  formatDecimal,
  multiply,
  percentOf,
  quotient,
  readDecimal,
  roundTo,
  unitsOf,
} from './decimal.ts'

describe('decimals', async () => {
  const { ada, database } = await sharedTestService()

  /** The same values computed by PostgreSQL. */
  async function inSql(expression: string, rows: readonly (readonly string[])[]): Promise<string[]> {
    const found = await database.single(
      tenantCaller(ada.tenantId),
      ctx =>
        ctx.sql<{ value: string }>`select case ${expression}
          when 'round' then round(r.v[1]::numeric, r.v[2]::int)
          when 'multiply' then round(r.v[1]::numeric * r.v[2]::numeric, r.v[3]::int)
          when 'divide' then round(r.v[1]::numeric / nullif(r.v[2]::numeric, 0), r.v[3]::int)
          when 'percent' then round(r.v[1]::numeric * r.v[2]::numeric * 0.01, r.v[3]::int)
          else round(r.v[1]::numeric * r.v[2]::numeric / 3600, r.v[3]::int) end::numeric(30,4)::text as value
        from (select array(select jsonb_array_elements_text(e.entry)) as v, e.place
          from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as e (entry, place)) r order by r.place`,
    )
    return found.map(({ value }) => value)
  }

  const units = fc.oneof(fc.bigInt({ min: -20_000n, max: 20_000n }), fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }))
  const digits = fc.integer({ min: 0, max: 4 })

  /** Compares a function of two values and a number of places with SQL, for many values in one statement. */
  async function agrees(
    expression: string,
    [first, second]: readonly [fc.Arbitrary<bigint>, fc.Arbitrary<bigint>],
    compute: (a: bigint, b: bigint, places: number) => bigint,
    write: (b: bigint) => string = formatDecimal,
  ): Promise<void> {
    const cases = fc.sample(fc.tuple(first, second, digits), 2000)
    const expected = await inSql(
      expression,
      cases.map(([a, b, places]) => [formatDecimal(a), write(b), String(places)]),
    )
    const computed = cases.map(([a, b, places]) => formatDecimal(compute(a, b, places)))
    assert.deepEqual(computed, expected)
  }

  test('rounding is that of PostgreSQL', async () => {
    const cases = fc.sample(fc.tuple(units, digits), 2000)
    const expected = await inSql(
      'round',
      cases.map(([a, places]) => [formatDecimal(a), String(places)]),
    )
    assert.deepEqual(
      cases.map(([a, places]) => formatDecimal(roundTo(a, places))),
      expected,
    )
  })

  test('products are those of PostgreSQL', () => agrees('multiply', [units, units], multiply))

  test('percentages are those of PostgreSQL', () =>
    agrees('percent', [units, fc.bigInt({ min: 0n, max: 9_999_999n })], percentOf))

  // PostgreSQL computes a quotient to at least 16 digits before it rounds, which is exact enough for values of this size.
  const small = fc.bigInt({ min: -(10n ** 11n), max: 10n ** 11n })

  test('amounts of time are those of PostgreSQL', async () => {
    const seconds = fc.bigInt({ min: -90_000n, max: 90_000n })
    await agrees('time', [small, seconds], (rate, time, places) => amountOfTime(time, rate, places), String)
  })

  test('quotients are those of PostgreSQL', () =>
    agrees('divide', [small, fc.bigInt({ min: 1n, max: 10_000n })], divide))

  test('half a unit goes away from zero', () => {
    assert.equal(roundTo(unitsOf('0.0050'), 2), unitsOf('0.01'))
    assert.equal(roundTo(unitsOf('-0.0050'), 2), unitsOf('-0.01'))
    assert.equal(roundTo(unitsOf('0.0049'), 2), 0n)
    assert.equal(quotient(1n, 3n), unitsOf('0.3333'))
    assert.equal(quotient(-2n, 3n), unitsOf('-0.6667'))
  })

  test('the worked examples of time and money hold', () => {
    const hours = (seconds: bigint) => quotient(seconds, 3600n)
    assert.equal(formatDecimal(multiply(hours(1800n), unitsOf('27.50'), 2), 2), '13.75')
    assert.equal(formatDecimal(hours(3000n)), '0.8333')
    assert.equal(formatDecimal(multiply(hours(3000n), unitsOf('100'), 2), 2), '83.33')
    assert.equal(formatDecimal(multiply(unitsOf('82.0667'), unitsOf('140'), 2), 2), '11489.34')
    assert.equal(formatDecimal(percentOf(unitsOf('157742.84'), unitsOf('19'), 2), 2), '29971.14')
    const perThird = amountOfTime(1200n, unitsOf('10001'))
    assert.equal(formatDecimal(perThird), '3333.6667')
    assert.equal(formatDecimal(multiply(hours(1200n), unitsOf('10001'), digitsOf('JPY')), 0), '3333')
  })

  test('a text is read and written without loss, or says what is wrong', () => {
    fc.assert(fc.property(units, each => assert.equal(unitsOf(formatDecimal(each)), each)))
    assert.equal(readDecimal('1234.5'), 12_345_000n)
    assert.equal(readDecimal('-0.0001'), -1n)
    assert.equal(readDecimal('007.50000'), 75_000n)
    assert.equal(readDecimal('1.00001'), 'precision')
    assert.equal(readDecimal('1.005', 2), 'precision')
    assert.equal(readDecimal('1234567890123456'), 'range')
    for (const wrong of ['', '-', '.5', '5.', '1e3', '1,5', '+1', 'NaN', '１'])
      assert.equal(readDecimal(wrong), 'decimal', wrong)
    assert.equal(formatDecimal(-5n), '-0.0005')
    assert.equal(formatDecimal(12_340_000n, 0), '1234')
    assert.throws(() => formatDecimal(1n, 2), /more than 2 places/)
  })
})
