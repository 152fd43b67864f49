/** Rows as a table that spreadsheets open. A text that a spreadsheet would take for a formula is kept from being one. */
export function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map(row => row.map(cell).join(',')).join('\r\n')
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = typeof value !== 'number' && /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
