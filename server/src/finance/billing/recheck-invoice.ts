import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Conflict, RuleBroken } from '../../kernel/refusal.ts'
import { contractsOf } from '../contract/contract-accounts.ts'
import { contractPeriodOn } from '../contract/contract-period.ts'
import { type Invoice, type InvoiceLine, lineSource } from '../invoice/invoice-record.ts'
import { billOf } from './bill.ts'
import type { Fee } from './contract-fees.ts'
import { entriesOf, lockBilling } from './invoice-entries.ts'
import { readTimes } from './time-to-bill.ts'

type Line = Partial<InvoiceLine>
const isComputed = ({ source }: Line) => source !== undefined && source !== lineSource.free

/**
 * Refuses a draft whose computed lines are not what its time and its contracts give by now: a rounding policy, a contract or an
 * earlier document has changed. The entries themselves cannot change.
 */
export async function refuseStale(ctx: Context, invoice: Invoice): Promise<void> {
  const { id, crmId, currency, from, to, groupBy } = invoice
  if (!invoice.lines.some(isComputed)) return
  await lockBilling(ctx, crmId)
  const fresh = await readTimes(ctx, await entriesOf(ctx, id), { groupBy, invoiceId: id, fresh: true })
  const other = fresh.find(each => each.price !== null && each.currency !== '' && each.currency !== currency)
  if (other)
    throw new RuleBroken('currency-mismatch', `time is priced in ${other.currency}, and the document is in ${currency}`)
  const fees = await feesOf(ctx, invoice)
  const request = { crmId, from, to: to ?? '', groupBy }
  const bill = await billOf(ctx, { request, currency, fresh, invoiceId: id, fees })
  if (bill.unpriced.length > 0)
    throw new RuleBroken('unpriced', `${bill.unpriced.length} entries have no price`, [], {
      count: bill.unpriced.length,
    })
  if (summary(bill.lines) !== summary(invoice.lines.filter(isComputed)))
    throw new Conflict('stale', 'the lines are not what the time gives any more: cancel the draft and make a new one')
}

function summary(lines: readonly Line[]): string {
  return lines
    .map(({ source, quantity, unit, price }) => [source, quantity, unit, price].join(' '))
    .sort()
    .join('\n')
}

/** The fees on the document, as the contracts are now; one whose contract is gone is not due. */
async function feesOf(ctx: Context, { id, crmId }: Invoice): Promise<Fee[]> {
  const rows = await ctx.sql<{
    contractId: Id
    from: string
  }>`select contract_id as "contractId", period_from::text as from
    from invoice_fee where tenant_id = ${ctx.caller.tenantId} and invoice_id = ${id} and not released order by period_from, contract_id`
  const contracts = new Map((await contractsOf(ctx, crmId)).map(each => [each.id, each]))
  return rows.flatMap(({ contractId, from }) => {
    const contract = contracts.get(contractId)
    return contract ? [{ contract, period: contractPeriodOn({ ...contract, from: contract.from ?? '' }, from) }] : []
  })
}
