import { Readable } from 'node:stream'
import { operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { csvOf } from '../../language/csv.ts'
import { type Invoice, invoiceState, invoices } from './invoice-record.ts'
import { ublOf } from './ubl.ts'

const formats = {
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv' },
  // A file, and not an answer of the API.
  json: { type: 'application/octet-stream', ending: 'json' },
  ubl: { type: 'application/xml; charset=utf-8', ending: 'xml' },
} as const
type Format = keyof typeof formats

const columns = [
  'number',
  'date',
  'kind',
  'currency',
  'customer',
  'line',
  'text',
  'quantity',
  'unit',
  'price',
  'amount',
  'taxCategory',
  'taxRate',
]

/** One row for each line. */
function table({ number, date, kind, currency, buyer, lines }: Invoice): string {
  // Quantities and prices can be negative, and are numbers: they need no apostrophe against formulas.
  const rows = lines.map((each, i) => [
    ...[number, date, kind, currency, buyer.name ?? '', i + 1, each.text],
    ...[
      Number(each.quantity),
      each.unit,
      Number(each.price),
      Number(each.amount),
      each.taxCategory,
      Number(each.taxRate),
    ],
  ])
  return csvOf([columns, ...rows])
}

const exportInvoice = operation({
  permission: invoices.permissions.read,
  mode: 'read',
  summary: 'Export an invoice',
  description:
    'The document as a file: its lines as CSV, the record as JSON, or UBL 2.1 with the terms of EN 16931 (an issued document only, else 422 `not-issued`).',
  query: { format: { type: 'string', enum: Object.keys(formats), description: 'The default is `csv`.' } },
  reply: {
    status: 200,
    schema: { type: 'string', format: 'binary', contentMediaType: '*/*' },
    description: 'The file.',
    headers: ['Content-Disposition'],
  },
  refusals: [404, 422],
  async run(ctx, { params, query }) {
    const invoice = await invoices.get(ctx, params.id ?? '')
    const format = (query.format ?? 'csv') as Format // the enumeration of the query
    if (format === 'csv') return asFile(invoice, format, table(invoice))
    if (format === 'json') return asFile(invoice, format, JSON.stringify(invoice))
    if (invoice.state !== invoiceState.issued)
      throw new RuleBroken('not-issued', 'only an issued document is exported as UBL')
    const credited = invoice.creditsId ? await invoices.find(ctx, invoice.creditsId, { deleted: true }) : undefined
    return asFile(invoice, format, ublOf(invoice, credited?.number ?? ''))
  },
})

function asFile({ number, id }: Invoice, format: Format, text: string): Reply {
  const bytes = Buffer.from(text)
  const { type, ending } = formats[format]
  const name = (number || id).replace(/[^A-Za-z0-9._-]/g, '_')
  return {
    headers: {
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="${name}.${ending}"`,
      'content-length': String(bytes.length),
      'content-type': type,
      'x-content-type-options': 'nosniff',
    },
    bytes: () => Readable.from([bytes]),
  }
}

export const exportRoutes: Routes = { 'GET /finance/invoice/:id/export': exportInvoice }
