import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type ContractTerms,
  chargeContracts,
  contractRollover,
  lowThresholds,
  remainingOf,
  type Work,
} from './contract-balance.ts'
import { contractPeriod, contractPeriodOn } from './contract-period.ts'

const hour = 3600
const monthly: ContractTerms = {
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
}
let count = 0
const work = (date: string, hours: number, containerId = 'desk'): Work => ({
  id: `w${++count}`,
  date,
  containerId,
  seconds: hours * hour,
})

/** The account of the first contract at the end of a day, in hours. */
function at(day: string, terms: Partial<ContractTerms>, works: readonly Work[] = []) {
  const account = chargeContracts([{ ...monthly, ...terms }], works, day).accounts.get('gold')
  assert.ok(account)
  const { granted, carried, expired, consumed, overage } = account
  return [granted, carried, expired, consumed, overage, remainingOf(account)].map(seconds => seconds / hour)
}

describe('periods of contracts', () => {
  const on = (day: string, terms: Partial<ContractTerms>) => {
    const { index, from, to } = contractPeriodOn({ ...monthly, ...terms }, day)
    return [index, from, to]
  }
  test('are those of the calendar; the first one can be shorter', () => {
    assert.deepEqual(on('2026-04-30', { from: '2026-04-17' }), [0, '2026-04-17', '2026-04-30'])
    assert.deepEqual(on('2026-05-01', { from: '2026-04-17' }), [1, '2026-05-01', '2026-05-31'])
    assert.deepEqual(on('2027-01-01', { from: '2026-11-20', period: contractPeriod.quarter }), [
      1,
      '2027-01-01',
      '2027-03-31',
    ])
    assert.deepEqual(on('2028-02-29', { from: '2026-11-20', period: contractPeriod.year }), [
      2,
      '2028-01-01',
      '2028-12-31',
    ])
    assert.deepEqual(on('2030-01-01', { to: '2026-06-15' }), [2, '2026-06-01', '2026-06-15'])
    assert.deepEqual(on('2030-01-01', { period: contractPeriod.once }), [0, '2026-04-01', null])
    assert.deepEqual(on('2020-01-01', {}), [0, '2026-04-01', '2026-04-30'])
  })
})

describe('the balance of a contract', () => {
  test('a partial first period grants all', () => {
    assert.deepEqual(at('2026-04-17', { from: '2026-04-17' }), [10, 0, 0, 0, 0, 10])
  })

  test('without rollover the unused part expires', () => {
    assert.deepEqual(at('2026-05-02', {}, [work('2026-04-10', 4)]), [10, 6, 6, 0, 0, 10])
  })

  test('what is beyond is overage', () => {
    assert.deepEqual(at('2026-04-30', {}, [work('2026-04-10', 8), work('2026-04-11', 5)]), [10, 0, 0, 10, 3, 0])
  })

  test('a capped rollover carries at most so much, also what was left before the contract', () => {
    const terms = { rollover: contractRollover.capped, rolloverMax: 5 * hour, included: 160 * hour, opening: 12 * hour }
    assert.deepEqual(at('2026-04-01', terms), [160, 12, 7, 0, 0, 165])
    assert.deepEqual(at('2026-04-30', terms, [work('2026-04-15', 408)]), [160, 12, 7, 165, 243, 0])
  })

  test('what is carried over is used first, and expires after its periods', () => {
    const terms = { rollover: contractRollover.all, rolloverPeriods: 2 }
    assert.deepEqual(at('2026-06-30', terms), [10, 20, 0, 0, 0, 30])
    assert.deepEqual(at('2026-07-01', terms), [10, 30, 10, 0, 0, 30])
    assert.deepEqual(at('2026-07-01', terms, [work('2026-06-01', 10)]), [10, 20, 0, 0, 0, 30])
  })

  test('work goes to the contracts in their order, and may be split between them', () => {
    const small = { ...monthly, id: 'small', included: 2 * hour, containerIds: ['desk'] }
    const [one, two, three] = [work('2026-04-02', 3), work('2026-04-03', 1, 'project'), work('2026-03-01', 1)]
    const { accounts, covers } = chargeContracts(
      [small, { ...monthly, included: hour }],
      [three, one, two],
      '2026-04-30',
    )
    assert.deepEqual(covers, [
      { workId: three.id, seconds: hour, contractId: null, over: false },
      { workId: one.id, seconds: 2 * hour, contractId: 'small', over: false },
      { workId: one.id, seconds: hour, contractId: 'gold', over: false },
      { workId: two.id, seconds: hour, contractId: 'gold', over: true },
    ])
    assert.deepEqual([accounts.get('small')?.overage, accounts.get('gold')?.overage], [0, hour])
  })

  test('a contract is low at 80 and at 100 percent', () => {
    const low = (hours: number) => {
      const account = chargeContracts([monthly], [work('2026-04-02', hours)], '2026-04-30').accounts.get('gold')
      return account && lowThresholds(account)
    }
    assert.deepEqual([low(7.9), low(8), low(10), low(12)], [[], [80], [80, 100], [80, 100]])
  })

  const day = fc
    .integer({ min: 0, max: 700 })
    .map(days => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10))
  const hours = fc.integer({ min: 0, max: 200_000 })
  const terms = fc.record({
    from: day,
    to: fc.option(day),
    period: fc.constantFrom(...Object.values(contractPeriod), 9),
    included: hours,
    rollover: fc.constantFrom(...Object.values(contractRollover), 9),
    rolloverMax: hours,
    rolloverPeriods: fc.integer({ min: 1, max: 4 }),
    opening: hours,
    containerIds: fc.constantFrom<string[]>([], ['a'], ['b', 'c']),
  })
  const works = fc.array(fc.record({ date: day, containerId: fc.constantFrom('a', 'b', 'c'), seconds: hours }), {
    maxLength: 30,
  })

  test('whatever happens, used, left and expired time is what was granted and carried, and all work is accounted for', () => {
    fc.assert(
      fc.property(fc.array(terms, { minLength: 1, maxLength: 3 }), works, day, (all, given, until) => {
        const contracts = all.map((each, i) => ({
          ...each,
          id: `c${i}`,
          to: each.to !== null && each.to < each.from ? null : each.to,
        }))
        const sorted = given.sort((a, b) => (a.date < b.date ? -1 : 1)).map((each, i) => ({ ...each, id: `w${i}` }))
        const { accounts, covers } = chargeContracts(contracts, sorted, until)
        for (const account of accounts.values()) {
          const { consumed, expired, granted, carried, lots } = account
          assert.equal(consumed + remainingOf(account) + expired, granted + carried)
          assert.ok(expired >= 0 && consumed >= 0 && lots.every(lot => lot.left >= 0))
        }
        for (const each of sorted.filter(work => work.date <= until))
          assert.equal(
            covers.filter(cover => cover.workId === each.id).reduce((sum, cover) => sum + cover.seconds, 0),
            each.seconds,
          )
      }),
    )
  })
})
