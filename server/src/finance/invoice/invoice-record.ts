import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { managers } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/id.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Instant, LocalDate, LongText, Parts, Ref, Text } from '../../kernel/schema/values.ts'
import { digitsOf, formatDecimal } from '../../language/decimal.ts'
import { Currency, Money, Percent } from '../../language/money.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { complete, duplicateIds, type Entry } from '../../records/input/entries.ts'
import { keysOf } from '../../records/references/keys-of.ts'
import { lineGroups } from '../billing/line-groups.ts'
import type { BillingParty } from './billing-party.ts'
import { lineAmount, type TaxTotal, totalsOf } from './invoice-math.ts'

export const invoiceState = { draft: 0, approved: 1, issued: 2, cancelled: 3 } as const
export const invoiceKind = { invoice: 0, creditNote: 1 } as const
/** Where a line comes from. What is not free is computed, and cannot be edited. */
export const lineSource = { free: 0, time: 1, fee: 2, overage: 3 } as const

/** How many lines a document has at most. */
export const maxLines = 1000

const line = {
  id: Text(100),
  source: Code(codeTableOfCodes('invoice.line.source', lineSource), {
    description: '0 free · 1 time · 2 fee of a contract · 3 overage of a contract; set by the service',
  }),
  text: Text(2000),
  quantity: Type.Unsafe<string>({ ...Money(), default: '1.0000' }),
  unit: Text(10, { pattern: '^[A-Z0-9]*$', description: 'UN/ECE 20: `HUR` hours, `C62` pieces.' }),
  price: Money(),
  taxCategory: Text(2, { pattern: '^(S|Z|E|AE|K|G|O|L|M)?$' }),
  taxRate: Percent(),
  amount: Text(40, { description: 'Quantity times price, rounded to the digits of the currency; computed.' }),
}

export type InvoiceLine = Entry<typeof line>

const shape = {
  number: Text(80),
  seriesId: Ref('InvoiceSeries'),
  kind: Code(codeTableOfCodes('invoice.kind', invoiceKind), { description: '0 invoice · 1 credit note' }),
  state: Code(codeTableOfCodes('invoice.state', invoiceState), {
    description: '0 draft · 1 approved · 2 issued · 3 cancelled',
  }),
  crmId: Ref('Crm'),
  currency: Currency,
  from: LocalDate,
  to: LocalDate,
  reference: Text(200),
  note: LongText(10_000),
  lines: Parts(line, [], maxLines),
  groupBy: Code(lineGroups, {
    description: 'How the lines of time are grouped; see `POST /api/finance/invoice/draft`.',
  }),
  net: Text(40),
  gross: Text(40),
  taxes: Type.Unsafe<TaxTotal[]>({ type: 'array', items: { type: 'object' }, default: [], 'x-column': 'jsonb' }),
  date: LocalDate,
  dueDate: LocalDate,
  seller: Type.Unsafe<Partial<BillingParty & { iban: string }>>({ type: 'object', default: {} }),
  buyer: Type.Unsafe<Partial<BillingParty>>({ type: 'object', default: {} }),
  creditsId: Ref('Invoice'),
  reason: Text(2000),
  exportedAt: Instant,
  paidAt: Instant,
  markReference: Text(200),
}

export type Invoice = Stored<typeof shape>
export type InvoiceValues = Values<typeof shape>

/** What may still change on an issued document. */
const marks: readonly string[] = ['exportedAt', 'paidAt', 'markReference']
/** What the author of a draft writes. */
const written = ['seriesId', 'crmId', 'currency', 'from', 'to', 'reference', 'note', 'lines'] as const

/** A document that asks a customer for money, or credits it. */
export const invoices = resource('Invoice', {
  about:
    'An invoice or a credit note: a draft is edited and approved, and gets its number when it is issued; from then on it never changes.',
  shape,
  required: ['crmId'],
  serverSet: keysOf(shape).filter(each => !written.some(one => one === each)),
  may: { read: managers, create: managers, update: managers, delete: managers },
  check: checkInvoice,
  order: '-created',
  example: {
    crmId: '01890000-0000-7000-8000-000000000000',
    currency: 'EUR',
    lines: [{ text: 'Workshop', quantity: '1', unit: 'C62', price: '1200', taxCategory: 'S', taxRate: '19' }],
  },
})

function checkInvoice(_ctx: Context, invoice: InvoiceValues, before: Invoice | undefined): void {
  const faults: Fault[] = duplicateIds(complete(line, invoice.lines), 'lines')
  if (invoice.from && invoice.to && invoice.to < invoice.from)
    faults.push(fault(['to'], 'range', 'must not be before from', invoice.to))
  if (invoice.currency !== '' && !Intl.supportedValuesOf('currency').includes(invoice.currency))
    faults.push(fault(['currency'], 'currency', 'is not a currency', invoice.currency))
  if (faults.length > 0) throw new Invalid(faults)
  if (before) refuseFixed(invoice, before)
}

/** An issued or cancelled document keeps everything but its marks; an approved one is withdrawn before it is edited. */
function refuseFixed(invoice: InvoiceValues, before: Invoice): void {
  const changes = keysOf(shape).filter(each => !marks.includes(each) && !isDeepStrictEqual(invoice[each], before[each]))
  if (changes.length === 0) return
  if (before.state === invoiceState.issued) throw issuedRefusal()
  if (before.state === invoiceState.cancelled)
    throw new RuleBroken('cancelled', 'a cancelled document does not change any more')
  if (before.state === invoiceState.approved && invoice.state === before.state)
    throw new RuleBroken('approved', 'an approved document is withdrawn before it is edited')
}

export function issuedRefusal(): RuleBroken {
  return new RuleBroken('issued', 'an issued document never changes; credit it instead')
}

/** Completes the lines of a document, with their amounts, and sums them up. */
export function withTotals(
  lines: InvoiceValues['lines'],
  currency: string,
): Pick<InvoiceValues, 'lines' | 'net' | 'gross' | 'taxes'> {
  const digits = currency === '' ? 2 : digitsOf(currency)
  const all: InvoiceLine[] = complete(line, lines).map(each => ({
    ...each,
    id: each.id || newId(),
    unit: each.unit || 'C62',
    amount: formatDecimal(lineAmount(each, digits), digits),
  }))
  return { lines: all, ...totalsOf(all, digits) }
}
