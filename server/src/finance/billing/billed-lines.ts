import type { Id } from '../../kernel/id.ts'
import { formatDecimal, quotient, unitsOf } from '../../language/decimal.ts'
import type { Rounding } from '../rounding.ts'
import type { Share } from './billed-units.ts'

// The lines of a document, as a pure function of the shares of its entries. The price is a part of every group, so that what is
// printed can be recomputed.

/** A line of time before it has a text. */
export interface TimeLine {
  /** The group of the entries, or the contract whose price they have. */
  group: string
  contractId: Id | null
  /** The first day of the contract's period. */
  periodFrom: string
  price: string
  quantity: string
  shares: Share[]
}

/** The first day of the period of a contract on a day. */
type PeriodStart = (contractId: Id, day: string) => string

/** Groups the shares to lines. Those that ask for nothing have no line. */
export function timeLinesOf(
  shares: readonly Share[],
  policy: (containerId: Id | '') => Rounding,
  periodStart: PeriodStart,
): TimeLine[] {
  const charged = shares.filter(each => each.charged !== 0)
  const groups = Map.groupBy(charged, each => JSON.stringify(headOf(each, periodStart)))
  return [...groups.values()].flatMap(own => {
    const [first] = own
    if (!first) return []
    const seconds = own.reduce((sum, each) => sum + each.charged, 0)
    const decimals = policy(first.entry.containerId).quantityDecimals
    const quantity = quotient(BigInt(seconds), 3600n, decimals)
    if (quantity === 0n) return []
    return [{ ...headOf(first, periodStart), quantity: formatDecimal(quantity), shares: own }]
  })
}

/** What is equal for all entries of a line. */
function headOf(
  { entry, contractId, overageRate }: Share,
  periodStart: PeriodStart,
): Pick<TimeLine, 'group' | 'contractId' | 'periodFrom' | 'price'> {
  if (overageRate !== null && contractId !== null)
    return { group: '', contractId, periodFrom: periodStart(contractId, entry.date), price: overageRate }
  return { group: entry.group, contractId: null, periodFrom: '', price: entry.price ?? '' }
}

/** The shares that need a price and have none. */
export function unpricedOf(shares: readonly Share[]): Share[] {
  return shares.filter(each => each.charged !== 0 && each.overageRate === null && each.entry.price === null)
}

/** In the order of names, and of prices where they are equal. */
export function byTextAndPrice(a: { text: string; price: string }, b: { text: string; price: string }): number {
  if (a.text !== b.text) return a.text < b.text ? -1 : 1
  const [one, other] = [unitsOf(a.price), unitsOf(b.price)]
  return one === other ? 0 : one < other ? -1 : 1
}
