/** Writes rows as CSV. A text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. */
export function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map(row => row.map(cell).join(',')).join('\r\n')
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = typeof value !== 'number' && /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
