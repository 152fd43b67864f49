/** What an operator reads. */
export const printLine = (line: string) => process.stdout.write(`${line}\n`)

/** What an operator's tools read: one JSON object a line. */
export const log = (line: Record<string, unknown>) =>
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`)
