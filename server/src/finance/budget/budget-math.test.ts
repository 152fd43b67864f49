import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Grant, grantedBefore, grantedIn, reached, usedPercent } from './budget-math.ts'
import { budgetPeriod, exhaustedOn, periodOn, periodsBetween, workingDaysBefore } from './budget-period.ts'

const { once, weekly, monthly, quarterly, yearly } = budgetPeriod
const open = { from: null, to: null }

describe('periods of budgets', () => {
  test('they are those of the calendar, within the days of the budget', () => {
    const on = (period: number, day: string, more = {}) => Object.values(periodOn({ ...open, period, ...more }, day))
    assert.deepEqual(on(once, '2026-04-15'), [null, null])
    assert.deepEqual(on(99, '2026-04-15'), [null, null])
    assert.deepEqual(on(weekly, '2026-04-15'), ['2026-04-13', '2026-04-19'])
    assert.deepEqual(on(monthly, '2028-02-29'), ['2028-02-01', '2028-02-29'])
    assert.deepEqual(on(quarterly, '2026-06-30'), ['2026-04-01', '2026-06-30'])
    assert.deepEqual(on(yearly, '2026-12-31'), ['2026-01-01', '2026-12-31'])
    assert.deepEqual(on(monthly, '2026-04-01', { from: '2026-04-10' }), ['2026-04-10', '2026-04-30'])
    assert.deepEqual(on(monthly, '2027-01-01', { to: '2026-05-10' }), ['2026-05-01', '2026-05-10'])
  })

  test('periods are counted over the ends of years', () => {
    assert.equal(periodsBetween(weekly, '2026-12-28', '2027-01-10'), 1)
    assert.equal(periodsBetween(monthly, '2026-11-30', '2027-02-01'), 3)
    assert.equal(periodsBetween(quarterly, '2026-01-31', '2027-04-01'), 5)
    assert.equal(periodsBetween(yearly, '2024-02-29', '2026-02-28'), 2)
    assert.equal(periodsBetween(once, '2024-02-29', '2026-02-28'), 0)
  })

  test('the rest lasts for as many working days as it holds means of the last 20', () => {
    assert.equal(workingDaysBefore('2026-04-13', 5), '2026-04-06')
    assert.equal(exhaustedOn('2026-04-10', 0n, 5n, 20), '2026-04-10')
    assert.equal(exhaustedOn('2026-04-10', 10n, 0n, 20), null)
    assert.equal(exhaustedOn('2026-04-10', 100n, 2000n, 20), '2026-04-13', 'Friday, and one day more')
    assert.equal(exhaustedOn('2026-04-10', 101n, 2000n, 20), '2026-04-14')
    assert.equal(exhaustedOn('2026-04-10', 10n ** 12n, 20n, 20), null)
  })
})

describe('what a budget holds', () => {
  const budget = { ...open, period: monthly, rollover: true }
  const grants: Grant[] = [
    { date: '2026-01-15', recurring: true, delta: 100n },
    { date: '2026-02-03', recurring: false, delta: 30n },
    { date: '2026-03-31', recurring: false, delta: -10n },
  ]

  test('an entry counts in its period, a recurring one in each later one, too', () => {
    const held = ['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01'].map(day => grantedIn(budget, grants, day))
    assert.deepEqual(held, [0n, 100n, 130n, 90n])
    assert.equal(grantedIn({ ...budget, period: once }, grants, '2026-01-01'), 120n)
  })

  test('what was granted before is the sum of all earlier periods', () => {
    const date = fc
      .integer({ min: 0, max: 900 })
      .map(days => new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10))
    const grant = fc.record({ date, recurring: fc.boolean(), delta: fc.bigInt({ min: -500n, max: 500n }) })
    fc.assert(
      fc.property(
        fc.array(grant, { maxLength: 8 }),
        date,
        fc.constantFrom(weekly, monthly, quarterly, yearly),
        (all, day, period) => {
          const periodic = { ...budget, period }
          let sum = 0n
          for (let at = periodOn(periodic, '2025-01-01'); (at.to ?? '') < day; ) {
            sum += grantedIn(periodic, all, at.to ?? '')
            at = periodOn(periodic, new Date(Date.parse(at.to ?? '') + 86_400_000).toISOString().slice(0, 10))
          }
          // The period before 2025 can only hold what its week took from 2024, of which there is nothing.
          assert.equal(grantedBefore(periodic, all, day), sum)
        },
      ),
    )
  })

  test('thresholds are reached in ascending order, and never of nothing', () => {
    assert.deepEqual(reached([100, 80, 80, 50], 81n, 100n), [50, 80])
    assert.deepEqual(reached([80], 80n, 100n), [80])
    assert.deepEqual(reached([80], 799n, 1000n), [])
    assert.deepEqual(reached([80], 5n, 0n), [])
    assert.equal(usedPercent(5n, 0n), null)
    assert.equal(usedPercent(1n, 3n), 333_333n)
  })
})
