import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { type Fault, fault, RuleBroken } from '../../kernel/refusal.ts'
import { unitsOf } from '../../language/decimal.ts'
import { type Invoice, type InvoiceValues, invoices, lineSource, withTotals } from './invoice-record.ts'
import { defaultSeries } from './invoice-series.ts'

type Lines = InvoiceValues['lines']

/** What a customer brings to a document. */
interface BillingTerms {
  currency: string
  taxCategory: string
  taxRate: string
}

/** Creates a draft of free lines. */
export async function createInvoice(ctx: Context, values: Partial<InvoiceValues>): Promise<Invoice> {
  const terms = await termsOf(ctx, values.crmId ?? '')
  const currency = values.currency || terms.currency
  const lines = (values.lines ?? []).map(each => ({ ...each, source: lineSource.free }))
  return await invoices.create(ctx, {
    ...values,
    seriesId: values.seriesId || (await defaultSeries(ctx)),
    currency,
    ...withTotals(taxed(lines, terms), currency),
  })
}

/** Changes a draft. Computed lines keep their amounts; their text and order may change. */
export async function changeInvoice(
  ctx: Context,
  id: Id,
  values: Partial<InvoiceValues>,
  more: { expect?: Expect },
): Promise<Invoice> {
  const before = await invoices.get(ctx, id, { lock: true })
  refuseOtherTime(before, values)
  if (values.lines === undefined && values.currency === undefined) return await invoices.update(ctx, id, values, more)
  const terms = await termsOf(ctx, values.crmId || before.crmId)
  const currency = values.currency ?? before.currency
  const lines = values.lines === undefined ? before.lines : sourced(values.lines ?? [], before.lines)
  return await invoices.update(ctx, id, { ...values, ...withTotals(taxed(lines, terms), currency) }, more)
}

export async function termsOf(ctx: Context, crmId: Id): Promise<BillingTerms> {
  const [row] = await ctx.sql<BillingTerms & Record<string, unknown>>`
    select coalesce(nullif(c.currency, ''), t.currency) as currency, c.tax_category as "taxCategory", c.tax_rate::text as "taxRate"
    from crm c join tenant t on t.tenant_id = ${ctx.caller.tenantId} where c.tenant_id = ${ctx.caller.tenantId} and c.id::text = ${crmId.toLowerCase()}`
  return row ?? { currency: '', taxCategory: '', taxRate: '0.0000' }
}

/** A line that says nothing about tax has that of the customer. */
export function taxed(lines: Lines, terms: BillingTerms): Lines {
  return lines.map(each => {
    const own = each.taxCategory !== undefined || each.taxRate !== undefined
    const { taxCategory = '', taxRate = '0.0000' } = own ? each : terms
    return { ...each, taxRate, taxCategory: taxCategory || (unitsOf(taxRate) > 0n ? 'S' : 'Z') }
  })
}

/** Computed lines are those of one customer up to one day. */
function refuseOtherTime(before: Invoice, values: Partial<InvoiceValues>): void {
  if (before.lines.every(each => each.source === lineSource.free)) return
  const faults = (['crmId', 'to'] as const)
    .filter(each => values[each] !== undefined && values[each] !== before[each])
    .map(each => fault([each], 'amount-computed', 'is that of the computed lines', values[each]))
  if (faults.length > 0) throw new RuleBroken('amount-computed', 'the document was made of booked time', faults)
}

const computed = ['quantity', 'unit', 'price', 'taxCategory', 'taxRate'] as const

/** The source of a line is that of the stored one; computed lines must all be there, with their amounts. */
function sourced(lines: Lines, before: Lines): Lines {
  const known = new Map(before.filter(each => each.source !== lineSource.free).map(each => [each.id, each]))
  const faults: Fault[] = lines.flatMap((each, i) => {
    const stored = known.get(each.id ?? '')
    if (!stored) return []
    return computed
      .filter(property => each[property] !== undefined && each[property] !== stored[property])
      .map(property => fault(['lines', i, property], 'amount-computed', 'is computed', each[property]))
  })
  const missing = [...known.keys()].filter(id => !lines.some(each => each.id === id))
  if (faults.length > 0 || missing.length > 0)
    throw new RuleBroken('amount-computed', 'computed lines keep their amounts and are not removed', faults)
  return lines.map(each => {
    const stored = known.get(each.id ?? '')
    return stored ? { ...stored, text: each.text ?? stored.text ?? '' } : { ...each, source: lineSource.free }
  })
}
