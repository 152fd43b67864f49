import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { customersOf, policies } from '../billable-time.ts'
import { contractsOf, termsOf } from '../contract/contract-accounts.ts'
import { contractPeriodOn } from '../contract/contract-period.ts'
import { type Contract, contractOverage } from '../contract/contract-record.ts'
import { type InvoiceLine, lineSource } from '../invoice/invoice-record.ts'
import type { Rounding } from '../rounding.ts'
import { byTextAndPrice, type TimeLine, timeLinesOf, unpricedOf } from './billed-lines.ts'
import { type Share, sharesOf } from './billed-units.ts'
import { dueFees, type Fee, feeLine, periodText } from './contract-fees.ts'
import type { InvoiceEntry, InvoiceFee } from './invoice-entries.ts'
import { groupTexts, type LineGroup } from './line-groups.ts'
import { billedIds, byWork, type DraftRequest, readTimes, relatedIds, type TimeToBill } from './time-to-bill.ts'

/** The computed lines of a document, and what they hold. */
export interface Bill {
  lines: BillLine[]
  entries: InvoiceEntry[]
  fees: InvoiceFee[]
  /** The entries that would need a price and have none; they are on no line. */
  unpriced: Id[]
}

type BillLine = Pick<InvoiceLine, 'id' | 'source' | 'text' | 'quantity' | 'unit' | 'price'>

/** What a document is computed from: the entries that are to be on it, and the fees if they are known already. */
interface BillInput {
  request: DraftRequest
  currency: string
  fresh: readonly TimeToBill[]
  /** The document itself, if it is computed again. */
  invoiceId: Id | null
  fees?: readonly Fee[]
}

/** Computes the lines of a document from time and contracts. */
export async function billOf(ctx: Context, input: BillInput): Promise<Bill> {
  const { request, currency, fresh } = input
  const contracts = await contractsOf(ctx, request.crmId)
  const earlier = await earlierTimes(ctx, input, contracts)
  const policy = await policies(
    ctx,
    request.crmId,
    [...fresh, ...earlier].map(each => each.containerId),
  )
  const { shares, unpriced } = pricedShares(fresh, earlier, policy, contracts, request.to)
  const byId = new Map(contracts.map(each => [each.id, each]))
  const periodStart = (id: Id, day: string) => periodOf(byId.get(id), day).from
  const fees = input.fees ?? (await dueFees(ctx, contracts, request))
  const timeLines = timeLinesOf(shares, policy, periodStart)
  refuseOtherCurrency(currency, byId, fees, timeLines)
  const charged = fees.map(feeLine)
  const worked = await withTexts(ctx, timeLines, request.groupBy as LineGroup, byId)
  return {
    lines: [...charged, ...worked.map(each => each.line)],
    entries: entriesOn(shares, worked, (contractId, day) => {
      const from = periodStart(contractId, day)
      return charged[fees.findIndex(each => each.contract.id === contractId && each.period.from === from)]?.id ?? ''
    }),
    fees: fees.map((each, i) => ({
      contractId: each.contract.id,
      periodFrom: each.period.from,
      lineId: charged[i]?.id ?? '',
    })),
    unpriced,
  }
}

/** The entries of other documents on which it depends how much of these is billed. */
async function earlierTimes(
  ctx: Context,
  { request, fresh, invoiceId }: BillInput,
  contracts: readonly Contract[],
): Promise<TimeToBill[]> {
  const own = await policies(
    ctx,
    request.crmId,
    fresh.map(each => each.containerId),
  )
  const ids = new Set(await relatedIds(ctx, fresh, own, invoiceId))
  const first = contracts.map(each => each.from ?? '').sort()[0]
  if (first !== undefined) {
    const among = { from: first, to: request.to, invoiceId }
    for (const id of await billedIds(ctx, await customersOf(ctx, request.crmId), among)) ids.add(id)
  }
  return await readTimes(ctx, [...ids], { groupBy: request.groupBy, invoiceId, fresh: false })
}

/** Entries that need a price and have none are left out, and do not use a contract up either. */
function pricedShares(
  fresh: readonly TimeToBill[],
  earlier: readonly TimeToBill[],
  policy: (containerId: Id | '') => Rounding,
  contracts: readonly Contract[],
  until: string,
): { shares: Share[]; unpriced: Id[] } {
  const terms = contracts.map(each => ({
    ...termsOf(each),
    overageRate: each.overage === contractOverage.ownRate ? each.overageRate : null,
  }))
  const unpriced = new Set<Id>()
  for (;;) {
    const entries = [...fresh.filter(each => !unpriced.has(each.id)), ...earlier].sort(byWork)
    const shares = sharesOf(entries, policy, terms, until)
    const lacking = new Set(unpricedOf(shares).map(each => each.entry.id))
    const found = fresh.filter(each => lacking.has(each.id))
    if (found.length === 0)
      return { shares: shares.filter(each => !lacking.has(each.entry.id)), unpriced: [...unpriced] }
    for (const { id } of found) unpriced.add(id)
  }
}

function periodOf(contract: Contract | undefined, day: string) {
  if (!contract) throw new Error('a share names a contract that was not charged')
  return contractPeriodOn({ ...contract, from: contract.from ?? '' }, day)
}

/** Currencies are never added: a contract in another one is billed by another document. */
function refuseOtherCurrency(
  currency: string,
  contracts: ReadonlyMap<Id, Contract>,
  fees: readonly Fee[],
  lines: readonly TimeLine[],
): void {
  const used = [...fees.map(each => each.contract), ...lines.map(each => contracts.get(each.contractId ?? ''))]
  const other = used.find(each => each && each.currency !== '' && each.currency !== currency)
  if (other)
    throw new RuleBroken(
      'currency-mismatch',
      `the contract ${other.name} is in ${other.currency}, and the document in ${currency}`,
    )
}

interface WrittenLine {
  line: BillLine
  shares: readonly Share[]
}

async function withTexts(
  ctx: Context,
  lines: readonly TimeLine[],
  groupBy: LineGroup,
  contracts: ReadonlyMap<Id, Contract>,
): Promise<WrittenLine[]> {
  const samples = lines.flatMap(({ contractId, shares: [first] }) =>
    first && contractId === null ? [first.entry] : [],
  )
  const texts = await groupTexts(ctx, samples, groupBy)
  const written = lines.map(({ contractId, periodFrom, quantity, price, shares }) => {
    const contract = contracts.get(contractId ?? '')
    const text = contract
      ? `${contract.name}, beyond ${periodText(periodOf(contract, periodFrom))}`
      : (texts.get(shares[0]?.entry.id ?? '') ?? '')
    const source = contract ? lineSource.overage : lineSource.time
    return { line: { id: newId(), source, text, quantity, unit: 'HUR', price }, shares }
  })
  const beyond = written.filter(each => each.line.source === lineSource.overage)
  const time = written.filter(each => each.line.source === lineSource.time)
  const sorted = (some: WrittenLine[]) => some.sort((a, b) => byTextAndPrice(a.line, b.line))
  return [...sorted(beyond), ...sorted(time)]
}

/** What a contract covers is on the line of its fee, where the document has that. */
function entriesOn(
  shares: readonly Share[],
  lines: readonly WrittenLine[],
  feeLineOf: (contractId: Id, day: string) => string,
): InvoiceEntry[] {
  const lineIds = new Map(lines.flatMap(({ line, shares: own }) => own.map(each => [each.entry.id, line.id])))
  return shares.map(({ entry, billed, charged, contractId }) => ({
    timeId: entry.id,
    lineId: lineIds.get(entry.id) ?? (contractId === null ? '' : feeLineOf(contractId, entry.date)),
    billed,
    charged,
    adjusts: !entry.fresh,
  }))
}
