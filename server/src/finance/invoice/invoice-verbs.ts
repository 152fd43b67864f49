import { admins, managers, type Permission, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Body, bodyOf, type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { expectVersion } from '../../kernel/record/record.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { Instant, LocalDate, Part, Text } from '../../kernel/schema/values.ts'
import { formatDecimal, unitsOf } from '../../language/decimal.ts'
import { release } from '../billing/invoice-entries.ts'
import { refuseStale } from '../billing/recheck-invoice.ts'
import { tenantToday } from '../tenant-day.ts'
import { buyerOf, sellerOf } from './billing-party.ts'
import { type Invoice, type InvoiceValues, invoiceKind, invoiceState, invoices, withTotals } from './invoice-record.ts'
import { defaultSeries, takeNumber } from './invoice-series.ts'

const approving = permission('invoice.approve', managers)
export const issuing = permission('invoice.issue', admins)

const names = Object.fromEntries(Object.entries(invoiceState).map(([name, code]) => [code, name]))

interface Verb<T> {
  permission: Permission
  from: readonly number[]
  summary: string
  description: string
  body?: Body<T>
  /** The second part of the event's name. */
  verb?: string
  values: (ctx: Context, invoice: Invoice, body: T) => Promise<Partial<InvoiceValues>> | Partial<InvoiceValues>
}

/** An operation that moves a document from one of these states. The row is locked, so of two callers one comes too late. */
function verb<T extends object>(own: Verb<T>): Operation {
  return operation<T>({
    permission: own.permission,
    mode: 'write',
    summary: own.summary,
    description: own.description,
    ...(own.body ? { body: own.body } : {}),
    reply: { status: 200, schema: invoices.schema, description: 'The document.' },
    refusals: [404, 409, 412, 422],
    async run(ctx, { params, body, expect }) {
      const invoice = await invoices.get(ctx, params.id ?? '', { lock: true })
      expectVersion(invoice, expect)
      if (!own.from.includes(invoice.state))
        throw new RuleBroken(
          names[invoice.state] ?? 'state',
          `the document is ${names[invoice.state] ?? invoice.state}`,
        )
      const values = await own.values(ctx, invoice, body)
      const made = await invoices.update(ctx, invoice.id, values, own.verb ? { verb: own.verb } : {})
      return { body: made, version: made.version }
    },
  })
}

const { draft, approved, issued, cancelled } = invoiceState

/** A document without lines or without a currency asks for nothing. */
function refuseIncomplete({ lines, currency }: Invoice): void {
  if (lines.length === 0) throw new RuleBroken('no-lines', 'the document has no lines')
  if (currency === '')
    throw new RuleBroken('currency-required', 'the document has no currency', [
      fault(['currency'], 'currency-required', 'is required'),
    ])
}

/** The properties of a document that is issued now: its number, parties and dates. A negative total makes a credit note. */
export async function issuedValues(
  ctx: Context,
  invoice: Invoice,
  given?: string | null,
): Promise<Partial<InvoiceValues>> {
  const { party, missing } = await sellerOf(ctx)
  if (missing.length > 0)
    throw new RuleBroken('seller-incomplete', `the setting billing.seller lacks ${missing.join(', ')}`)
  const date = given ?? (await tenantToday(ctx))
  const seriesId = invoice.seriesId || (await defaultSeries(ctx))
  const number = await takeNumber(ctx, seriesId, date)
  const [crm] = await ctx.sql<{ due: string }>`select (${date}::date + payment_days)::text as due from crm
    where tenant_id = ${ctx.caller.tenantId} and id = ${invoice.crmId}`
  const turned = invoice.kind === invoiceKind.invoice && unitsOf(invoice.net) < 0n
  const negated = invoice.lines.map(each => ({ ...each, quantity: formatDecimal(-unitsOf(each.quantity ?? '0')) }))
  return {
    ...(turned ? { kind: invoiceKind.creditNote, ...withTotals(negated, invoice.currency) } : {}),
    state: issued,
    seriesId,
    number,
    date,
    dueDate: crm?.due ?? date,
    seller: party,
    buyer: await buyerOf(ctx, invoice.crmId),
  }
}

const marking = Part({ exportedAt: Instant, paidAt: Instant, reference: Text(200) })

export const verbs: Routes = {
  'POST /finance/invoice/:id/approve': verb({
    permission: approving,
    from: [draft],
    summary: 'Approve an invoice',
    description:
      'An approved document is not edited until it is withdrawn. 409 `stale`: what its time and its contracts give has changed since it was drafted. 422 `unpriced`, `currency-mismatch`: time on it has no price, or one in another currency.',
    verb: 'approved',
    async values(ctx, invoice) {
      refuseIncomplete(invoice)
      await refuseStale(ctx, invoice)
      return { state: approved }
    },
  }),
  'POST /finance/invoice/:id/withdraw': verb({
    permission: approving,
    from: [approved],
    summary: 'Withdraw the approval of an invoice',
    description: 'The document is a draft again.',
    values: () => ({ state: draft }),
  }),
  'POST /finance/invoice/:id/issue': verb<{ date?: string | null }>({
    permission: issuing,
    from: [approved],
    summary: 'Issue an invoice',
    description:
      'The document gets the next number of its series, without gaps, and never changes from then on. `date` is today by default, and not before that of the last number (422 `date-order`). 422 `seller-incomplete`: the setting `billing.seller` lacks something.',
    body: bodyOf(Part({ date: LocalDate }), { date: '2026-04-30' }),
    verb: 'issued',
    async values(ctx, invoice, { date }) {
      const values = await issuedValues(ctx, invoice, date)
      await ctx.services.invoicedTime.settle(ctx, invoice.id)
      return values
    },
  }),
  'POST /finance/invoice/:id/cancel': verb({
    permission: approving,
    from: [draft, approved],
    summary: 'Cancel an invoice that was not issued',
    description: 'Its time can be changed and billed again. An issued document is credited instead.',
    async values(ctx, invoice) {
      await release(ctx, invoice)
      return { state: cancelled }
    },
  }),
  'POST /finance/invoice/:id/mark': verb<{ exportedAt?: string | null; paidAt?: string | null; reference?: string }>({
    permission: approving,
    from: [issued],
    summary: 'Note that an invoice was exported or paid',
    description: 'Only what is given changes.',
    body: bodyOf(marking, { paidAt: '2026-05-12T09:00:00Z', reference: 'Transfer 4711' }),
    verb: 'marked',
    values: (_ctx, _invoice, { reference, ...instants }) => ({
      ...instants,
      ...(reference === undefined ? {} : { markReference: reference }),
    }),
  }),
}
