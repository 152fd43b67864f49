import { Readable } from 'node:stream'
import type { Context } from '../../kernel/context.ts'
import type { Operation, Reply, Routes } from '../../kernel/operation.ts'
import type { OperationInFormats } from '../../platform/openapi/openapi-replies.ts'
import { recordsIn } from '../../records/page/list-text.ts'
import { csvLine, type Row } from './csv.ts'
import { type ExportFormat, exportFormats, formatFor } from './export-format.ts'
import { xlsx } from './xlsx.ts'

/** Lets these operations, whose answer is a list or a table, also answer as CSV, NDJSON and XLSX, by `Accept`. */
export function exported(routes: Routes, chosen: readonly string[]): Routes {
  const own = new Set(chosen)
  return Object.fromEntries(
    Object.entries(routes).map(([route, operation]) => [route, own.has(route) ? inFormats(operation) : operation]),
  )
}

function inFormats(operation: Operation): OperationInFormats {
  return {
    ...operation,
    formats: Object.values(exportFormats),
    description: `${operation.description} \`Accept\` with \`text/csv\`, \`application/x-ndjson\` or the media type of XLSX gives the rows in this format; texts that begin like a formula get an apostrophe in CSV and XLSX.`,
    async run(ctx, input) {
      const answer = await operation.run(ctx, input)
      const format = formatFor(input.headers.accept)
      // A reply that is stored for repetitions is JSON.
      if (!format || input.headers['idempotency-key'] !== undefined) return answer
      const headers = {
        ...answer.headers,
        'content-type': format === 'xlsx' ? exportFormats.xlsx : `${exportFormats[format]}; charset=utf-8`,
      }
      return { ...(await inFormat(ctx, answer, format)), headers }
    },
  }
}

/** The rows of an answer. A list without paging is read and written in parts, unless fields of it are hidden from the caller. */
async function inFormat(ctx: Context, answer: Reply, format: ExportFormat): Promise<Reply> {
  const { stream } = answer
  if (stream && !ctx.services.redaction.hidesAnything(ctx.caller))
    // The reply passes the parts on as they are, so those of a workbook may be bytes.
    return { stream: reopen => written(partsOf(stream(reopen)), format) as AsyncIterable<string> }
  const whole = stream ? await textOf(stream(work => work(ctx))) : (answer.text ?? JSON.stringify(answer.body))
  const shown = JSON.parse(await ctx.services.redaction.redactText(ctx, whole))
  const rows: readonly Row[] = Array.isArray(shown) ? shown : shown.rows
  return { bytes: () => Readable.from(written(once(rows), format, columnsOf(rows)), { objectMode: false }) }
}

async function* partsOf(parts: AsyncIterable<string>): AsyncGenerator<readonly Row[]> {
  for await (const part of parts) {
    const records: readonly object[] = recordsIn(part)
    if (records.length > 0) yield records as readonly Row[] // a record is a row
  }
}

async function* once(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  const all: string[] = []
  for await (const part of parts) all.push(part)
  return all.join('')
}

/** The names of all columns. Records have the same properties, except where fields are hidden on some. */
export function columnsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(row => Object.keys(row)))].filter(name => name !== 'drill')
}

/** Rows as a whole file, for the attachment of a mail. */
export async function bytesOf(rows: readonly Row[], format: ExportFormat): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of written(once(rows), format, columnsOf(rows))) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/** Writes rows in a format. Without columns, those of the first rows are the columns of the table. */
async function* written(
  batches: AsyncIterable<readonly Row[]>,
  format: ExportFormat,
  columns?: readonly string[],
): AsyncGenerator<string | Uint8Array> {
  if (format === 'xlsx') return yield* xlsx(batches, columnsOf, columns)
  let names = columns
  if (names && format === 'csv') yield csvLine(names)
  for await (const rows of batches) {
    if (format === 'ndjson') yield rows.map(row => `${JSON.stringify(row)}\n`).join('')
    else {
      const own: readonly string[] = names ?? columnsOf(rows)
      if (!names) yield csvLine(own)
      names = own
      yield rows.map(row => csvLine(own.map(name => row[name]))).join('')
    }
  }
}
