/** Prints a line for the operator. */
export const printLine = (line: string) => process.stdout.write(`${line}\n`)

/** Logs for the operator's tools: one JSON object per line. */
export const log = (line: Record<string, unknown>) =>
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`)
