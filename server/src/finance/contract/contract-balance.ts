import type { Id } from '../../kernel/id.ts'
import { type ContractPeriod, contractPeriodAt, contractPeriodOn } from './contract-period.ts'

// What contracts cover, as a pure function of the contracts of a customer and of the billable work. Everything is in seconds.

/** What becomes of the unused part of a period. */
export const contractRollover = { none: 0, capped: 1, all: 2 } as const

export interface ContractTerms {
  id: Id
  from: string
  to: string | null
  period: number
  included: number
  rollover: number
  rolloverMax: number
  rolloverPeriods: number
  opening: number
  /** Empty: all containers of the customer. */
  containerIds: readonly Id[]
}

/** Billable work that is covered as a whole or in parts: a rounded unit. */
export interface Work {
  id: Id
  date: string
  containerId: Id
  seconds: number
}

/** What is left of the grant of one period. */
interface Lot {
  /** The number of the period in which it was granted; −1 before the first. */
  period: number
  granted: number
  left: number
}

/** The account of one contract in one period. */
export interface PeriodAccount extends ContractPeriod {
  /** Granted at the start of the period. */
  granted: number
  /** What was left of the period before. */
  carried: number
  /** The part of it that did not pass into this period. */
  expired: number
  consumed: number
  overage: number
  lots: Lot[]
}

/** A part of some work: covered by a contract, beyond what its contracts hold, or under no contract. */
export interface Cover {
  workId: Id
  seconds: number
  contractId: Id | null
  /** The contract does not cover it any more. */
  over: boolean
}

/** The account of a contract while work is charged to it, from one period to the next. */
class Account {
  readonly terms: ContractTerms
  at: PeriodAccount

  constructor(terms: ContractTerms) {
    this.terms = terms
    const opening: Lot[] = terms.opening > 0 ? [{ period: -1, granted: terms.opening, left: terms.opening }] : []
    this.at = this.opened(0, opening)
  }

  /** Moves on to the period of a day. Work is charged in the order of days, so the account never goes back. */
  moveTo(day: string): void {
    const { index } = contractPeriodOn(this.terms, day)
    while (this.at.index < index) this.at = this.opened(this.at.index + 1, this.at.lots)
  }

  /** Takes as much as there is, of the grants that expire first, and returns what is left to be charged. */
  charge(seconds: number): number {
    let open = seconds
    for (const lot of this.at.lots) {
      const taken = Math.min(lot.left, open)
      lot.left -= taken
      open -= taken
    }
    this.at.consumed += seconds - open
    return open
  }

  private opened(index: number, before: readonly Lot[]): PeriodAccount {
    const { included } = this.terms
    const carried = sum(before.map(lot => lot.left))
    const kept = surviving(this.terms, index, before)
    return {
      ...contractPeriodAt(this.terms, index),
      granted: included,
      carried,
      expired: carried - sum(kept.map(lot => lot.left)),
      consumed: 0,
      overage: 0,
      lots: [...kept, { period: index, granted: included, left: included }],
    }
  }
}

/** The lots that pass into a period, the oldest first; where there are too many seconds, the oldest are cut. */
function surviving(
  { rollover, rolloverMax, rolloverPeriods }: ContractTerms,
  index: number,
  lots: readonly Lot[],
): Lot[] {
  if (rollover !== contractRollover.capped && rollover !== contractRollover.all) return []
  const young = lots.filter(lot => lot.left > 0 && lot.period + rolloverPeriods >= index)
  let excess = rollover === contractRollover.capped ? Math.max(0, sum(young.map(lot => lot.left)) - rolloverMax) : 0
  return young.flatMap(lot => {
    const cut = Math.min(lot.left, excess)
    excess -= cut
    return cut < lot.left ? [{ ...lot, left: lot.left - cut }] : []
  })
}

/**
 * Charges work to the contracts of a customer until the end of a day, both in their order. Work that no contract covers any more
 * is the overage of the last one that would have.
 */
export function chargeContracts(
  contracts: readonly ContractTerms[],
  works: readonly Work[],
  until: string,
): { accounts: Map<Id, PeriodAccount>; covers: Cover[] } {
  const accounts = contracts.map(terms => new Account(terms))
  const covers: Cover[] = []
  for (const work of works) {
    if (work.date > until) break
    const ready = accounts.filter(({ terms }) => applies(terms, work))
    let open = work.seconds
    for (const account of ready) {
      account.moveTo(work.date)
      const rest = account.charge(open)
      if (rest < open) covers.push({ workId: work.id, seconds: open - rest, contractId: account.terms.id, over: false })
      open = rest
    }
    const last = ready.at(-1)
    if (last) last.at.overage += open
    if (open > 0)
      covers.push({ workId: work.id, seconds: open, contractId: last?.terms.id ?? null, over: last !== undefined })
  }
  for (const account of accounts) account.moveTo(until)
  return { accounts: new Map(accounts.map(each => [each.terms.id, each.at])), covers }
}

function applies({ from, to, containerIds }: ContractTerms, { date, containerId }: Work): boolean {
  return (
    from <= date && (to === null || date <= to) && (containerIds.length === 0 || containerIds.includes(containerId))
  )
}

/** The thresholds of use at which a contract is low, in percent. */
const lowAt: readonly number[] = [80, 100]

/** The thresholds that an account has reached. */
export function lowThresholds({ granted, carried, expired, consumed, overage }: PeriodAccount): number[] {
  const available = granted + carried - expired
  return available > 0 ? lowAt.filter(each => (consumed + overage) * 100 >= each * available) : []
}

export const remainingOf = ({ lots }: PeriodAccount) => sum(lots.map(lot => lot.left))

const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
