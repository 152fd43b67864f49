import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { customersOf } from '../billable-time.ts'
import { taxed, termsOf } from '../invoice/invoice-draft.ts'
import { type Invoice, invoices, maxLines, withTotals } from '../invoice/invoice-record.ts'
import { defaultSeries } from '../invoice/invoice-series.ts'
import { type Bill, billOf } from './bill.ts'
import { lockBilling, reserve } from './invoice-entries.ts'
import { type DraftRequest, lockOpen, openIds, readTimes, type TimeToBill, timeState } from './time-to-bill.ts'

/** Why billable time is not on a document. */
export const skipReasons = ['draft', 'unapproved', 'currency', 'unpriced'] as const
type SkipReason = (typeof skipReasons)[number]

type Skipped = Map<SkipReason, Id[]>

/** Makes a draft of the time and the fees of a customer, and reserves them for it. */
export async function draftInvoice(
  ctx: Context,
  request: DraftRequest,
): Promise<{ invoice: Invoice; skipped: Skipped }> {
  await lockBilling(ctx, request.crmId)
  const terms = await termsOf(ctx, request.crmId)
  const ids = await openIds(ctx, await customersOf(ctx, request.crmId), request)
  await ctx.services.invoicedTime.hold(ctx, ids)
  const { fresh, bill, skipped } = await computed(ctx, request, await lockOpen(ctx, ids), terms.currency)
  if (bill.lines.length > maxLines)
    throw new RuleBroken(
      'too-many-lines',
      `these are ${bill.lines.length} lines, and a document has at most ${maxLines}`,
    )
  if (bill.lines.length === 0)
    throw new RuleBroken('nothing-to-bill', 'there is nothing to bill', [], { skipped: countsOf(skipped) })
  const begins = [...fresh.map(each => each.date), ...bill.fees.map(each => each.periodFrom)].sort()
  const invoice = await invoices.create(ctx, {
    crmId: request.crmId,
    seriesId: await defaultSeries(ctx),
    currency: terms.currency,
    from: request.from ?? begins[0] ?? null,
    to: request.to,
    groupBy: request.groupBy,
    ...withTotals(taxed(bill.lines, terms), terms.currency),
  })
  await reserve(ctx, invoice.id, bill.entries, bill.fees)
  return { invoice, skipped }
}

const countsOf = (skipped: Skipped) => [...skipped].map(([reason, ids]) => ({ reason, count: ids.length }))

/** The entries that a draft would leave out for this reason. */
export async function skippedTimes(ctx: Context, request: DraftRequest, reason: string): Promise<readonly Id[]> {
  const { currency } = await termsOf(ctx, request.crmId)
  const ids = await openIds(ctx, await customersOf(ctx, request.crmId), request)
  const { skipped } = await computed(ctx, request, ids, currency)
  return [...skipped].find(([each]) => each === reason)?.[1] ?? []
}

async function computed(
  ctx: Context,
  request: DraftRequest,
  ids: readonly Id[],
  currency: string,
): Promise<{ fresh: TimeToBill[]; bill: Bill; skipped: Skipped }> {
  const all = await readTimes(ctx, ids, { groupBy: request.groupBy, invoiceId: null, fresh: true })
  const asked = await ctx.services.invoicedTime.approvalAsked(ctx, [...new Set(all.map(each => each.userId))])
  const reasons = Map.groupBy(all, each => reasonOf(each, asked, currency))
  const fresh = reasons.get(undefined) ?? []
  const bill = await billOf(ctx, { request, currency, fresh, invoiceId: null })
  const skipped: Skipped = new Map()
  for (const reason of skipReasons) {
    const left = reason === 'unpriced' ? bill.unpriced : (reasons.get(reason) ?? []).map(each => each.id)
    if (left.length > 0) skipped.set(reason, left)
  }
  const unpriced = new Set(bill.unpriced)
  return { fresh: fresh.filter(each => !unpriced.has(each.id)), bill, skipped }
}

function reasonOf(
  { state, userId, date, price, currency: own }: TimeToBill,
  asked: ReadonlyMap<Id, string>,
  currency: string,
): SkipReason | undefined {
  if (state === timeState.draft) return 'draft'
  const from = asked.get(userId)
  const isAsked = from !== undefined && date >= from
  if (state === timeState.submitted || state === timeState.rejected || (state === timeState.logged && isAsked))
    return 'unapproved'
  return price !== null && own !== '' && own !== currency ? 'currency' : undefined
}
