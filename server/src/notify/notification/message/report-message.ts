import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { escapedHtml } from '../../../language/markup.ts'
import type { TextAttachment } from '../../../mail/outbound-mail/outbound-mail.ts'
import type { Notification } from '../notification.ts'
import { minLimiterCap } from '../notification-codes.ts'
import { byTemplate, type Message, maxRecordsInCall, type Written } from './message.ts'
import { messageFormat } from './message-format.ts'

declare module '../../../kernel/context.ts' {
  interface Services {
    /** Runs a saved report with the rights of the caller of the context; undefined if they have none to it, or it names nothing that they see. */
    runSavedReport: (ctx: Context, id: Id) => Promise<ReportResult | undefined>
  }
}

/** The answer to a saved report. */
interface ReportResult {
  columns: readonly string[]
  rows: readonly Readonly<Record<string, unknown>>[]
  /** The rows as files, with the same content as the exports of the API. */
  csv(): Promise<string>
  xlsx(): Promise<Uint8Array>
}

/** A mail shows at most this many rows; a limiter can set another number. */
const usualRows = 100
const maxRows = 1000
/** Mail servers refuse larger mails. */
const maxAttached = 10 * 1024 * 1024

/** Writes the message with the saved report as `ctx.caller` gets it, or returns undefined if they get nothing. */
export async function reportMessage(ctx: Context, notification: Notification): Promise<Message | undefined> {
  const { limiter, savedReportId } = notification
  const result = await ctx.services.runSavedReport(ctx, savedReportId)
  if (!result || result.rows.length === 0) return undefined
  const count = result.rows.length
  const rows = result.rows.slice(0, limiter >= minLimiterCap ? Math.min(limiter, maxRows) : usualRows)
  const link = `${ctx.services.baseUrl}/api/insight/saved/${savedReportId}/run`
  const written =
    (await byTemplate(ctx, notification, { count, more: count - rows.length, rows, link })) ??
    plain(notification, { ...result, rows }, count, link)
  const { attachments, note } = await attached(notification, result)
  const html = written.html && note ? `${written.html}<p>${escapedHtml(note)}</p>` : written.html
  return {
    ...written,
    html,
    text: [written.text, note].filter(Boolean).join('\n\n'),
    count,
    title: `${notification.name}: ${rowsOf(count)}`,
    listed: { rows: rows.slice(0, maxRecordsInCall).map(withoutToken) },
    itemIds: [],
    attachments,
  }
}

const rowsOf = (count: number) => (count === 1 ? 'one row' : `${count} rows`)

/** A token is for the reader of an answer, and longer than everything else in it. */
function withoutToken({ drill: _, ...row }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return row
}

function plain(
  { name, format }: Notification,
  { columns, rows }: Pick<ReportResult, 'columns' | 'rows'>,
  count: number,
  link: string,
): Written {
  if (format === messageFormat.count) return { subject: name, text: `${name}: ${rowsOf(count)}.`, html: '' }
  const shown = shownColumns(columns)
  const more = count > rows.length ? `and ${count - rows.length} more: ${link}` : ''
  const cells = rows.map(row => shown.map(({ from }) => cellOf(row[from])))
  const heads = shown.map(({ head }) => head)
  const tr = (tag: 'th' | 'td', values: readonly string[]) =>
    `<tr>${values.map(each => `<${tag} align="left">${escapedHtml(each)}</${tag}>`).join('')}</tr>`
  return {
    subject: name,
    text: [`${name}: ${rowsOf(count)}.`, [heads, ...cells].map(line => line.join(' | ')).join('\n'), more]
      .filter(Boolean)
      .join('\n\n'),
    html: `<p>${escapedHtml(`${name}: ${rowsOf(count)}.`)}</p><table border="1" cellspacing="0" cellpadding="4">${tr('th', heads)}${cells
      .map(each => tr('td', each))
      .join('')}</table>${more ? `<p>${escapedHtml(more)}</p>` : ''}`,
  }
}

/** People read the name of a value where there is one, instead of its id. */
function shownColumns(columns: readonly string[]): { head: string; from: string }[] {
  const labels = new Set(columns.filter(each => each.endsWith('Label')))
  return columns
    .filter(each => !labels.has(each))
    .map(head => ({ head, from: labels.has(`${head}Label`) ? `${head}Label` : head }))
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value).replace(/\s+/g, ' ')
}

async function attached(
  { format }: Notification,
  result: ReportResult,
): Promise<{ attachments: TextAttachment[]; note: string }> {
  const attachment = await attachmentOf(format, result)
  if (!attachment) return { attachments: [], note: '' }
  if (attachment.text.length > maxAttached) return { attachments: [], note: 'The table is too large to be attached.' }
  return { attachments: [attachment], note: '' }
}

async function attachmentOf(format: number, result: ReportResult): Promise<TextAttachment | undefined> {
  if (format === messageFormat.csv) return { name: 'report.csv', type: 'text/csv', text: await result.csv() }
  if (format !== messageFormat.xlsx) return undefined
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const text = Buffer.from(await result.xlsx()).toString('base64')
  return { name: 'report.xlsx', type, text, encoding: 'base64' }
}
