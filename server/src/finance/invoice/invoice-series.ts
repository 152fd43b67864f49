import { admins, managers } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Name, Text } from '../../kernel/schema/values.ts'
import { history } from '../../records/history/history.ts'

const shape = {
  name: Name(120),
  pattern: Text(60, {
    description: '`{0000}` is the number with at least so many digits, `{yyyy}`, `{yy}` and `{mm}` are of the date.',
  }),
  next: Count(2_000_000_000, 1, { description: 'The number of the next document; fixed once a document has one.' }),
}

type SeriesValues = Values<typeof shape>

const place = /\{0+\}/g

/** A series of numbers without gaps. */
const invoiceSeries = resource('InvoiceSeries', {
  about: 'A series of invoice numbers without gaps. The number is given when a document is issued.',
  shape: { ...shape, pattern: { ...shape.pattern, default: 'INV-{yyyy}-{0000}' }, next: { ...shape.next, default: 1 } },
  may: { read: managers, create: admins, update: admins, delete: admins },
  check: checkSeries,
  example: { name: 'Invoices', pattern: 'INV-{yyyy}-{0000}', next: 1 },
})

async function checkSeries(
  ctx: Context,
  series: SeriesValues,
  before: Stored<typeof shape> | undefined,
): Promise<void> {
  if (series.pattern.match(place)?.length !== 1)
    throw new Invalid([fault(['pattern'], 'pattern', 'must contain one number such as {0000}', series.pattern)])
  if (!before || before.next === series.next) return
  const [used] = await ctx.sql`select 1 from invoice
    where tenant_id = ${ctx.caller.tenantId} and series_id = ${before.id} and number <> '' limit 1`
  if (!used) return
  const message = 'documents have numbers of this series, and another one would leave a gap or a duplicate'
  throw new RuleBroken('series-used', message, [fault(['next'], 'series-used', message, series.next)])
}

/** Writes a number of a series. */
export function numberText(pattern: string, number: number, date: string): string {
  const [year = '', month = ''] = date.split('-')
  return pattern
    .replaceAll('{yyyy}', year)
    .replaceAll('{yy}', year.slice(2))
    .replaceAll('{mm}', month)
    .replace(place, digits => String(number).padStart(digits.length - 2, '0'))
}

/**
 * Takes the next number of a series. The row stays locked until the transaction ends, so that a number which is not used in the
 * end is taken by the next document.
 */
export async function takeNumber(ctx: Context, seriesId: Id, date: string): Promise<string> {
  const [row] = await ctx.sql<{ pattern: string; number: number }>`update invoice_series set next = next + 1
    where tenant_id = ${ctx.caller.tenantId} and id = ${seriesId} and not deleted returning pattern, next - 1 as number`
  if (!row) throw new RuleBroken('series-missing', 'the series of the document does not exist any more')
  const [last] = await ctx.sql<{ date: string }>`select max(date)::text as date from invoice
    where tenant_id = ${ctx.caller.tenantId} and series_id = ${seriesId} and number <> ''`
  if (last?.date && last.date > date) {
    const message = `a document of ${last.date} has a number of this series already`
    throw new RuleBroken('date-order', message, [fault(['date'], 'date-order', message, date)])
  }
  return numberText(row.pattern, row.number, date)
}

/** The series of documents that name none: the oldest one, which is made if there is none. */
export async function defaultSeries(ctx: Context): Promise<Id> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`invoice series ${ctx.caller.tenantId}`}, 0))`
  const [row] = await ctx.sql<{ id: Id }>`select id from invoice_series
    where tenant_id = ${ctx.caller.tenantId} and not deleted order by id limit 1`
  return row?.id ?? (await invoiceSeries.create(ctx, { name: 'Invoices' })).id
}

export const routes: Routes = {
  'GET /finance/invoice-series': list(invoiceSeries),
  'POST /finance/invoice-series': create(invoiceSeries),
  'PUT /finance/invoice-series': update(invoiceSeries),
  'GET /finance/invoice-series/:id': get(invoiceSeries),
  'PUT /finance/invoice-series/:id': update(invoiceSeries),
  'PATCH /finance/invoice-series/:id': update(invoiceSeries),
  'DELETE /finance/invoice-series/:id': remove(invoiceSeries),
  'POST /finance/invoice-series/:id/restore': restore(invoiceSeries),
  'GET /finance/invoice-series/:id/history': history(invoiceSeries),
}
