import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { contractRollover } from '../contract/contract-balance.ts'
import { contractPeriod, contractPeriodOn } from '../contract/contract-period.ts'
import { policyOf, type Rounding, roundingMode, roundingPer } from '../rounding.ts'
import { timeLinesOf, unpricedOf } from './billed-lines.ts'
import { type BillEntry, type BillTerms, type Share, sharesOf } from './billed-units.ts'

const [minute, hour, quarter] = [60, 3600, 900]
let count = 0

function entry(seconds: number, more: Partial<BillEntry> = {}): BillEntry {
  const id = `e${String(++count).padStart(5, '0')}`
  const place = { userId: 'bob', itemId: 'one', containerId: 'c', date: '2026-04-01', group: 'g', price: '100.0000' }
  return { id, chainId: id, seconds, ...place, fresh: true, billed: 0, charged: 0, lineId: '', ...more }
}

/** An entry of an earlier document. */
const earlier = (seconds: number, billed: number, more: Partial<BillEntry> = {}) =>
  entry(seconds, { fresh: false, billed, charged: billed, lineId: 'line', ...more })

const gold: BillTerms = {
  id: 'gold',
  from: '2026-04-01',
  to: null,
  period: contractPeriod.month,
  included: 10 * hour,
  rollover: contractRollover.none,
  rolloverMax: 0,
  rolloverPeriods: 1,
  opening: 0,
  containerIds: [],
  overageRate: '120.0000',
}

const bill = (entries: readonly BillEntry[], rounding: Partial<Rounding> = {}, contracts: readonly BillTerms[] = []) =>
  sharesOf(entries, () => policyOf([rounding]), contracts, '2026-12-31')
const charged = (shares: readonly Share[]) => shares.map(each => each.charged)
const lines = (shares: readonly Share[], rounding: Partial<Rounding> = {}) =>
  timeLinesOf(
    shares,
    () => policyOf([rounding]),
    (_id, day) => contractPeriodOn(gold, day).from,
  ).map(({ price, quantity, periodFrom }) => [periodFrom, quantity, price].filter(Boolean).join(' '))

describe('what is billed of time', () => {
  const up = { mode: roundingMode.up, stepSeconds: quarter }
  const nearest = { mode: roundingMode.nearest, stepSeconds: quarter }

  test('a line adds seconds, and rounds once', () => {
    assert.deepEqual(lines(bill([entry(15 * minute), entry(15 * minute)])), ['0.5000 100.0000'])
    assert.deepEqual(lines(bill([entry(50 * minute)])), ['0.8333 100.0000'])
    const two = { quantityDecimals: 2 }
    assert.deepEqual(lines(bill([entry(50 * minute)], two), two), ['0.8300 100.0000'])
  })

  test('an entry, a day or a line is rounded as a whole', () => {
    const pair = () => [entry(7 * minute + 29), entry(7 * minute + 30)]
    assert.deepEqual(charged(bill(pair(), nearest)), [0, quarter])
    for (const per of [roundingPer.day, roundingPer.line]) {
      const shares = bill(pair(), { ...nearest, per })
      assert.deepEqual(charged(shares), [449, 451])
      assert.deepEqual(lines(shares), ['0.2500 100.0000'])
    }
    const days = [entry(minute, { date: '2026-04-01' }), entry(minute, { date: '2026-04-02' })]
    assert.deepEqual(charged(bill(days, { ...up, per: roundingPer.day })), [quarter, quarter])
    assert.deepEqual(charged(bill(days, { ...up, per: roundingPer.line })), [450, 450])
  })

  test('what earlier documents billed of the unit is taken off', () => {
    const first = earlier(12 * minute, quarter)
    const counter = entry(-12 * minute, { chainId: first.id })
    assert.deepEqual(charged(bill([first, counter], up)), [-quarter])
    const right = entry(5 * minute, { chainId: first.id })
    const both = charged(bill([first, counter, right], up))
    assert.equal(both[0] ?? 0, -(both[1] ?? 1))
    const sameDay = [earlier(10 * minute, quarter), entry(10 * minute)]
    assert.deepEqual(charged(bill(sameDay, { ...nearest, per: roundingPer.day })), [0])
    const line = { ...up, per: roundingPer.line }
    const [one, other] = [earlier(7 * minute, 8 * minute), earlier(7 * minute, 7 * minute)]
    assert.deepEqual(charged(bill([one, other, entry(-7 * minute, { chainId: one.id })], line)), [0])
    assert.deepEqual(charged(bill([one, other, entry(7 * minute)], line)), [quarter])
  })

  test('the price is a part of the group', () => {
    const shares = bill([entry(hour), entry(hour, { price: '90.0000' }), entry(hour, { group: 'h' })])
    assert.deepEqual(lines(shares), ['1.0000 100.0000', '1.0000 90.0000', '1.0000 100.0000'])
    const none = bill([entry(hour, { price: null })])
    assert.equal(unpricedOf(none).length, 1)
  })

  test('a contract covers work in its order, and prices what is beyond', () => {
    const work = [entry(6 * hour), entry(6 * hour, { date: '2026-04-02' }), entry(hour, { date: '2026-05-02' })]
    const shares = bill(work, {}, [gold])
    assert.deepEqual(charged(shares), [0, 2 * hour, 0])
    assert.deepEqual(
      shares.map(each => each.billed),
      [6 * hour, 6 * hour, hour],
    )
    assert.deepEqual(lines(shares), ['2026-04-01 2.0000 120.0000'])
    const normal = bill(work, {}, [{ ...gold, overageRate: null }])
    assert.deepEqual(lines(normal), ['2.0000 100.0000'])
    const free = bill([entry(11 * hour, { price: null })], {}, [{ ...gold, included: 20 * hour, overageRate: null }])
    assert.deepEqual([charged(free), unpricedOf(free).length], [[0], 0])
  })

  test('earlier work that is booked later moves what is beyond the contract', () => {
    const covered = entry(9 * hour, { date: '2026-04-20', fresh: false, billed: 9 * hour })
    const late = entry(4 * hour, { date: '2026-04-02' })
    const shares = bill([late, covered], {}, [gold])
    assert.deepEqual(
      shares.map(each => [each.entry.id, each.billed, each.charged]),
      [
        [late.id, 4 * hour, 0],
        [covered.id, 0, 3 * hour],
      ],
    )
    const settled = { ...covered, charged: 3 * hour }
    assert.deepEqual(bill([{ ...late, fresh: false, billed: 4 * hour }, settled], {}, [gold]), [])
    // Without the contract, what is billed is not billed again at other prices.
    assert.deepEqual(bill([covered], {}, []), [])
    assert.deepEqual(bill([covered], up, [{ ...gold, from: '2026-05-01' }]), [])
  })

  test('the sum of all documents is what one document would bill', () => {
    const some = fc.array(
      fc.record({
        seconds: fc.integer({ min: 1, max: 5 * hour }),
        day: fc.integer({ min: 1, max: 5 }),
        first: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12 },
    )
    const policies = fc.record({
      mode: fc.constantFrom(...Object.values(roundingMode)),
      stepSeconds: fc.constantFrom(360, quarter),
      minimumSeconds: fc.constantFrom(0, 600),
      per: fc.constantFrom(roundingPer.entry, roundingPer.day),
    })
    fc.assert(
      fc.property(some, policies, fc.boolean(), (all, rounding, hasContract) => {
        const contracts = hasContract ? [gold] : []
        const entries = all
          .map(({ seconds, day, first }) => ({ ...entry(seconds, { date: `2026-04-0${day}` }), first }))
          .sort((a, b) => (a.date === b.date ? (a.id < b.id ? -1 : 1) : a.date < b.date ? -1 : 1))
        const total = (shares: readonly Share[]) => charged(shares).reduce((sum, each) => sum + each, 0)
        const one = bill(
          entries.filter(each => each.first),
          rounding,
          contracts,
        )
        const known = new Map(one.map(each => [each.entry.id, each]))
        const then = entries.map(each => {
          const share = known.get(each.id)
          return share ? { ...each, fresh: false, billed: share.billed, charged: share.charged } : each
        })
        assert.equal(total(one) + total(bill(then, rounding, contracts)), total(bill(entries, rounding, contracts)))
      }),
    )
  })
})
