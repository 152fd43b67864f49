/** Returns the SQLSTATE of an error of PostgreSQL, or the code of another error; empty if it has none. */
export function sqlState(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** Whether the connection or the server failed, so that the request itself is not at fault. */
export function isConnectionFault(error: unknown): boolean {
  const state = sqlState(error)
  if (/^(08|57P|53)/.test(state) || /^E[A-Z]+$/.test(state)) return true
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
      error.message,
    )
  )
}
