import { type Fault, fault, Invalid, RuleBroken } from '../kernel/refusal.ts'
import { Parts, Ref } from '../kernel/schema/values.ts'
import { formatDecimal, unitsOf } from '../language/decimal.ts'
import { Percent } from '../language/money.ts'
import { datedFaults, From, sortedEntries, To } from '../records/dated.ts'
import type { Entry } from '../records/input/entries.ts'

// How the time of a user or of a container is divided between cost centres. A change adds an entry and keeps the earlier ones, so
// that entries of past days can be booked as they were.

const maxShares = 50

const share = {
  costCenterId: Ref('CostCenter', { minLength: 1 }),
  percent: Percent({ least: '0.0001', most: '100' }),
}

const splitEntry = {
  from: From,
  to: To,
  shares: Parts(share, ['costCenterId', 'percent'], maxShares),
}

/** The property `split`: cost centres with percentages that sum to exactly 100, from a day on until `to` or the next entry. */
export const CostSplit = Parts(splitEntry, ['from', 'shares'], 200)

type Split = readonly Partial<Entry<typeof splitEntry>>[]

const whole = unitsOf('100')

/** Refuses periods that overlap, a cost centre twice, and percentages that do not sum to exactly 100. */
export function refuseWrongSplit(split: Split): void {
  const faults = [...datedFaults('split', split, 'until the next'), ...split.flatMap(duplicates)]
  if (faults.length > 0) throw new Invalid(faults)
  const wrong = split.flatMap(({ shares = [] }, i) => {
    const sum = shares.reduce((all, { percent = '0' }) => all + unitsOf(percent), 0n)
    const message = `the percentages must sum to exactly 100, not ${formatDecimal(sum)}`
    return sum === whole ? [] : [fault(['split', i, 'shares'], 'split-sum', message)]
  })
  if (wrong.length > 0) throw new RuleBroken('split-sum', 'the percentages of a split must sum to exactly 100', wrong)
}

function duplicates({ shares = [] }: Split[number], i: number): Fault[] {
  const ids = shares.map(({ costCenterId = '' }) => costCenterId.toLowerCase())
  return ids.flatMap((id, k) =>
    ids.indexOf(id) < k
      ? [fault(['split', i, 'shares', k, 'costCenterId'], 'duplicate', 'is in another share already', id)]
      : [],
  )
}

/** The values with their split sorted and complete, as it is stored. */
export function withSortedSplit<V extends { split?: Split }>(values: V): V {
  return values.split ? { ...values, split: sortedEntries(splitEntry, values.split) } : values
}
