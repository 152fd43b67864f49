import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { Name, Part, Parts, Text } from '../../kernel/schema/values.ts'
import { formatDecimal, unitsOf } from '../../language/decimal.ts'
import { Money } from '../../language/money.ts'
import { release } from '../billing/invoice-entries.ts'
import { type Invoice, type InvoiceLine, invoiceKind, invoiceState, invoices, withTotals } from './invoice-record.ts'
import { issuedValues, issuing } from './invoice-verbs.ts'

interface Credit {
  lines?: { id?: string; quantity?: string }[]
  reason?: string
  release?: boolean
}

const schema = Part(
  {
    lines: Parts({ id: Text(100), quantity: Money({ least: '0' }) }, ['id'], 1000),
    reason: Name(2000),
    release: Type.Boolean({ default: false }),
  },
  ['reason'],
)

/** What is left to be credited of each line. */
async function creditable(ctx: Context, invoice: Invoice): Promise<Map<string, bigint>> {
  const rows = await ctx.sql<{ lines: { id: string; quantity: string }[] }>`select lines from invoice
    where tenant_id = ${ctx.caller.tenantId} and credits_id = ${invoice.id} and not deleted`
  const credited = rows.flatMap(row => row.lines)
  return new Map(
    invoice.lines.map(({ id = '', quantity = '0' }) => {
      const gone = credited.filter(each => each.id === id).reduce((sum, each) => sum + unitsOf(each.quantity), 0n)
      return [id, unitsOf(quantity) - gone]
    }),
  )
}

/** The lines of the credit note: those that are asked for, or all that is left. */
function creditLines(
  { lines }: Invoice,
  left: ReadonlyMap<string, bigint>,
  wanted: Credit['lines'],
): Partial<InvoiceLine>[] {
  const asked = wanted ?? lines.map(({ id = '' }) => ({ id }))
  return asked.flatMap(({ id = '', quantity }: { id?: string; quantity?: string }, i) => {
    const line = lines.find(each => each.id === id)
    const rest = left.get(id)
    if (!line || rest === undefined)
      throw new Invalid([fault(['lines', i, 'id'], 'unknown-line', 'is not a line of this document', id)])
    const units = quantity === undefined ? rest : unitsOf(quantity)
    if (units === 0n && wanted === undefined) return []
    // A line can be negative itself, a discount for example.
    if (units === 0n || (rest >= 0n ? units > rest : units < rest))
      throw alreadyCredited(`line ${i + 1} has ${formatDecimal(rest)} left`)
    return [{ ...line, quantity: formatDecimal(units) }]
  })
}

function alreadyCredited(detail: string): RuleBroken {
  return new RuleBroken('already-credited', `more than was billed cannot be credited: ${detail}`)
}

/** Gives back what the credited lines hold; with the last of them, also what is on no line because a contract covers it. */
async function releaseCredited(
  ctx: Context,
  invoice: Invoice,
  lines: readonly Partial<InvoiceLine>[],
  left: ReadonlyMap<string, bigint>,
): Promise<void> {
  const rest = new Map(left)
  for (const { id = '', quantity = '0' } of lines) rest.set(id, (rest.get(id) ?? 0n) - unitsOf(quantity))
  if (lines.some(({ id = '' }) => rest.get(id) !== 0n))
    throw new RuleBroken('credited-partly', 'time is given back by lines that are credited whole')
  const isWhole = [...rest.values()].every(units => units === 0n)
  await release(ctx, invoice, isWhole ? undefined : lines.map(({ id = '' }) => id))
}

const credit = operation<Credit>({
  permission: issuing,
  mode: 'write',
  summary: 'Credit an issued invoice',
  description:
    'Issues a credit note for the document, or for some of its lines and quantities, with a number of the same series. `release` gives the time and the fees of the credited lines back, to be billed again; it needs lines that are credited whole (422 `credited-partly`). Together, credit notes never exceed what was billed (422 `already-credited`).',
  body: bodyOf(schema, { reason: 'Wrong customer' }),
  reply: { status: 201, schema: invoices.schema, description: 'The credit note.' },
  refusals: [404, 412, 422],
  async run(ctx, { params, body, path }) {
    // The lock lets two credits of one document happen one after the other.
    const invoice = await invoices.get(ctx, params.id ?? '', { lock: true })
    if (invoice.state !== invoiceState.issued || invoice.kind !== invoiceKind.invoice)
      throw new RuleBroken('not-issued', 'only an issued invoice is credited')
    const left = await creditable(ctx, invoice)
    const lines = creditLines(invoice, left, body.lines)
    if (lines.length === 0) throw alreadyCredited('nothing is left')
    const { crmId, currency, seriesId, from, to, reference } = invoice
    const note = await invoices.create(ctx, {
      ...{ crmId, currency, seriesId, from, to, reference },
      kind: invoiceKind.creditNote,
      state: invoiceState.approved,
      creditsId: invoice.id,
      reason: body.reason ?? '',
      ...withTotals(lines, currency),
    })
    if (body.release) await releaseCredited(ctx, invoice, lines, left)
    const made = await invoices.update(ctx, note.id, await issuedValues(ctx, note), { verb: 'credited' })
    const location = `${path.slice(0, path.indexOf(`/${params.id}`))}/${made.id}`
    return { body: made, version: made.version, headers: { location } }
  },
})

export const creditRoutes: Routes = { 'POST /finance/invoice/:id/credit': credit }
