/** A record or a row of a table. */
export type Row = Readonly<Record<string, unknown>>

/** One line of CSV (RFC 4180). */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(each => quoted(cellText(each))).join(',')}\r\n`
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The text of a value in a cell: lists and objects as JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return harmless(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A spreadsheet would run a text that begins like a formula; numbers are no formulas. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
}
