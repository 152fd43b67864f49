import type { Id } from '../../kernel/id.ts'
import { splitByLargestRemainder } from '../../language/largest-remainder.ts'
import { type BillableEntry, unitKey } from '../billable-time.ts'
import { type ContractTerms, type Cover, chargeContracts } from '../contract/contract-balance.ts'
import { type Rounding, roundedSeconds, roundingPer } from '../rounding.ts'

// How many seconds of each entry are billed, as a pure function of the entries, the rounding policies and the contracts of a
// customer. A unit is rounded as a whole, and what earlier documents billed of it is taken off.

/** An entry of a document to be made, or of an earlier one that has a part in the same unit. */
export interface BillEntry extends BillableEntry {
  /** The group of its line. */
  group: string
  /** The price of an hour; null if it has none. */
  price: string | null
  /** On this document; the others are on earlier ones. */
  fresh: boolean
  /** What earlier documents billed of it, and what of that was not covered by a contract. */
  billed: number
  charged: number
  /** Its line on the earlier document. */
  lineId: string
}

/** A contract, and whether work beyond it has a price of its own. */
export interface BillTerms extends ContractTerms {
  overageRate: string | null
}

/** What the document bills of an entry. */
export interface Share {
  entry: BillEntry
  /** The share of the rounded seconds of its unit. */
  billed: number
  /** The part that no contract covers: the customer pays for it. */
  charged: number
  /** The contract that covers it or sets its price. */
  contractId: Id | null
  /** The price of the contract for work beyond it. */
  overageRate: string | null
}

interface Unit {
  entries: BillEntry[]
  /** Its rounded seconds, in all documents together. */
  target: number
}

/**
 * Returns what is billed of each entry. Entries of earlier documents are among the result only if a contract charges something else
 * for them than before, because work with an earlier date uses it up. All entries must be in the order of their work.
 */
export function sharesOf(
  entries: readonly BillEntry[],
  policy: (containerId: Id | '') => Rounding,
  contracts: readonly BillTerms[],
  until: string,
): Share[] {
  const units = unitsOf(entries, policy, contracts.length > 0)
  const works = units.flatMap(({ entries: [first], target }) =>
    first ? [{ id: first.id, date: first.date, containerId: first.containerId, seconds: target }] : [],
  )
  const covers = Map.groupBy(chargeContracts(contracts, works, until).covers, each => each.workId)
  const terms = new Map(contracts.map(each => [each.id, each]))
  return units.flatMap(unit => sharesOfUnit(unit, covers.get(unit.entries[0]?.id ?? '') ?? [], terms))
}

/** A unit of which nothing is new keeps what was billed, whatever its policy says by now. */
function unitsOf(
  entries: readonly BillEntry[],
  policy: (containerId: Id | '') => Rounding,
  hasContracts: boolean,
): Unit[] {
  const lines = hasContracts ? new Map<Id, string>() : linesOfChains(entries)
  const groups = Map.groupBy(entries, each => keyOf(each, policy(each.containerId), hasContracts, lines))
  return [...groups.values()].map(own => {
    const raw = sum(own.map(each => each.seconds))
    const isNew = own.some(each => each.fresh)
    const rounded = roundedSeconds(raw, policy(own[0]?.containerId ?? ''))
    return { entries: own, target: isNew ? rounded : sum(own.map(each => each.billed)) }
  })
}

/** A correction belongs to the line on which the corrected entry was billed; everything else to a new line. */
function keyOf(entry: BillEntry, policy: Rounding, hasContracts: boolean, lines: ReadonlyMap<Id, string>): string {
  if (policy.per !== roundingPer.line || hasContracts) return unitKey(entry, policy)
  return entry.lineId || lines.get(entry.chainId) || `${entry.group} ${entry.price ?? ''}`
}

/** The lines of earlier documents by the chain of corrections. */
function linesOfChains(entries: readonly BillEntry[]): Map<Id, string> {
  return new Map(entries.flatMap(({ chainId, lineId }) => (lineId === '' ? [] : [[chainId, lineId]])))
}

function sharesOfUnit({ entries, target }: Unit, covers: readonly Cover[], terms: ReadonlyMap<Id, BillTerms>): Share[] {
  const beyond = covers.find(each => each.over)
  const contractId = beyond?.contractId ?? covers.find(each => each.contractId !== null)?.contractId ?? null
  const overageRate = beyond ? (terms.get(beyond.contractId ?? '')?.overageRate ?? null) : null
  const covered = sum(covers.filter(each => each.contractId !== null && !each.over).map(each => each.seconds))
  const billed = target - sum(entries.map(each => each.billed))
  const charged = target - covered - sum(entries.map(each => each.charged))
  const fresh = entries.filter(each => each.fresh)
  const [first] = entries
  if (fresh.length === 0)
    return first && contractId !== null && charged !== 0
      ? [{ entry: first, billed: 0, charged, contractId, overageRate }]
      : []
  const parts = spread(
    billed,
    fresh.map(each => each.seconds),
  )
  const charges = charged === billed ? parts : split(charged, parts)
  return fresh.map((entry, i) => ({
    entry,
    billed: parts[i] ?? 0,
    charged: charges[i] ?? 0,
    contractId,
    overageRate,
  }))
}

/** Each has its own seconds, and a share of what rounding adds or takes; a correction has negative seconds. */
function spread(total: number, seconds: readonly number[]): number[] {
  const rests = split(total - sum(seconds), seconds)
  return seconds.map((own, i) => own + (rests[i] ?? 0))
}

/** Splits in proportion to the sizes; evenly if there are none. */
function split(total: number, sizes: readonly number[]): number[] {
  const weights = sizes.some(each => each !== 0) ? sizes.map(each => Math.abs(each)) : sizes.map(() => 1)
  return splitByLargestRemainder(BigInt(total), weights.map(BigInt)).map(Number)
}

const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
