import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Conflict } from '../../kernel/refusal.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'

// Which entries and which fees of contracts a document holds. An entry is on one document at most until it is released, and so is the
// fee of a period: unique indexes see to that for every writer.

/** What a document holds of an entry. */
export interface InvoiceEntry {
  timeId: Id
  lineId: string
  billed: number
  charged: number
  /** It only charges something else for an entry of another document. */
  adjusts: boolean
}

/** The fee of a contract for a period. */
export interface InvoiceFee {
  contractId: Id
  periodFrom: string
  lineId: string
}

/** Documents of one customer are made and released one after the other: what one bills depends on the others. */
export async function lockBilling(ctx: Context, crmId: Id): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`billing of ${ctx.caller.tenantId} ${crmId}`}, 0))`
}

/** Reserves entries and fees for a document, all of them or none. */
export async function reserve(
  ctx: Context,
  invoiceId: Id,
  entries: readonly InvoiceEntry[],
  fees: readonly InvoiceFee[],
): Promise<void> {
  const { tenantId } = ctx.caller
  const [taken] = await ctx.sql<{ count: number }>`
    with made as (
      insert into invoice_entry (tenant_id, invoice_id, time_id, line_id, billed_seconds, charged_seconds, adjusts)
      select ${tenantId}::uuid, ${invoiceId}::uuid, e."timeId", e."lineId", e.billed, e.charged, e.adjusts
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e("timeId" uuid, "lineId" text, billed int, charged int, adjusts boolean)
      on conflict do nothing returning 1)
    select count(*)::int as count from made`
  const [owed] = await ctx.sql<{ count: number }>`
    with made as (
      insert into invoice_fee (tenant_id, invoice_id, contract_id, period_from, line_id)
      select ${tenantId}::uuid, ${invoiceId}::uuid, f."contractId", f."periodFrom", f."lineId"
      from jsonb_to_recordset(${JSON.stringify(fees)}::jsonb) as f("contractId" uuid, "periodFrom" date, "lineId" text)
      on conflict do nothing returning 1)
    select count(*)::int as count from made`
  if (taken?.count !== entries.length || owed?.count !== fees.length)
    throw new Conflict('entries-taken', 'another document has taken some of this time: try again')
  const own = entries.filter(each => !each.adjusts).map(each => each.timeId)
  await ctx.services.invoicedTime.take(ctx, own, invoiceId)
}

/** The entries that a document holds. */
export async function entriesOf(ctx: Context, invoiceId: Id): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`select time_id as id from invoice_entry
    where tenant_id = ${ctx.caller.tenantId} and invoice_id = ${invoiceId} and not released and not adjusts`
  return rows.map(row => row.id)
}

/** Gives back what a document holds: all of it, or what is on some of its lines. It can be billed again then. */
export async function release(
  ctx: Context,
  { id, crmId }: { id: Id; crmId: Id },
  lineIds?: readonly string[],
): Promise<void> {
  await lockBilling(ctx, crmId)
  const { tenantId } = ctx.caller
  const chosen: Sql = lineIds ? sql`line_id = any(${lineIds}::text[])` : raw('true')
  const rows = await ctx.sql<{ id: Id; adjusts: boolean }>`update invoice_entry set released = true
    where tenant_id = ${tenantId} and invoice_id = ${id} and not released and ${chosen} returning time_id as id, adjusts`
  await ctx.sql`update invoice_fee set released = true
    where tenant_id = ${tenantId} and invoice_id = ${id} and not released and ${chosen}`
  const own = rows.filter(each => !each.adjusts).map(each => each.id)
  if (own.length === 0) return
  await ctx.services.invoicedTime.hold(ctx, own)
  await ctx.services.invoicedTime.release(ctx, own)
}
