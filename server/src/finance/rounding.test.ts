import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { policyOf, type Rounding, roundedSeconds, roundingMode, roundingPer } from './rounding.ts'

const quarter = 900
const minutes = (count: number, seconds = 0) => 60 * count + seconds
const rounding = (policy: Partial<Rounding>) => policyOf([{ stepSeconds: quarter, ...policy }])

describe('rounding for billing', () => {
  test('the nearest policy counts whole', () => {
    const customer = { mode: roundingMode.up, stepSeconds: 360, minimumSeconds: 360 }
    const container = { mode: roundingMode.nearest, stepSeconds: quarter }
    assert.deepEqual(policyOf([container, customer]), {
      ...container,
      minimumSeconds: 0,
      per: roundingPer.entry,
      quantityDecimals: 4,
    })
    assert.equal(policyOf([{}, customer, container]).stepSeconds, 360)
    assert.equal(policyOf([{}, {}]).mode, roundingMode.none)
  })

  const cases: [string, number, Partial<Rounding>, number][] = [
    ['without rounding', minutes(15) + minutes(15), { mode: roundingMode.none }, minutes(30)],
    ['without rounding, an odd length', minutes(50), { mode: roundingMode.none }, minutes(50)],
    ['nearest, just below a tie', minutes(7, 29), { mode: roundingMode.nearest }, 0],
    ['nearest, a tie', minutes(7, 30), { mode: roundingMode.nearest }, quarter],
    ['nearest, both on one day', minutes(7, 29) + minutes(7, 30), { mode: roundingMode.nearest }, quarter],
    ['down, but not below the minimum', minutes(2), { mode: roundingMode.down, minimumSeconds: quarter }, quarter],
    ['up', minutes(12), { mode: roundingMode.up }, quarter],
    ['corrected to nothing', 0, { mode: roundingMode.up, minimumSeconds: quarter }, 0],
    ['corrected below nothing', -60, { mode: roundingMode.up, minimumSeconds: quarter }, 0],
    ['an unknown mode', minutes(7), { mode: 99 }, minutes(7)],
    ['a step of nothing', minutes(7), { mode: roundingMode.up, stepSeconds: 0 }, minutes(7)],
  ]
  for (const [name, raw, policy, billed] of cases)
    test(name, () => assert.equal(roundedSeconds(raw, rounding(policy)), billed))

  test('every result is a multiple of the step, and less than a step away', () => {
    const modes = fc.constantFrom(roundingMode.nearest, roundingMode.up, roundingMode.down)
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 7200 }),
        modes,
        (raw, stepSeconds, mode) => {
          const rounded = roundedSeconds(raw, rounding({ mode, stepSeconds }))
          assert.equal(rounded % stepSeconds, 0)
          const away = rounded - raw
          if (mode === roundingMode.up) assert.ok(away >= 0 && away < stepSeconds)
          else if (mode === roundingMode.down) assert.ok(away <= 0 && -away < stepSeconds)
          else assert.ok(2 * away <= stepSeconds && 2 * away > -stepSeconds)
        },
      ),
    )
  })
})
