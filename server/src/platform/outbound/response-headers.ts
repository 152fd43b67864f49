/** A validator (`ETag`, `Last-Modified`) to be sent back unchanged; empty if it is too long or not printable ASCII. */
export function validatorOf(header: string | string[] | undefined): string {
  const text = String(header ?? '')
  return text.length <= 1000 && /^[\x20-\x7e]*$/.test(text) ? text : ''
}

/** The wait that `Retry-After` asks for, given in seconds or as a date; ms. */
export function retryAfterOf(header: string | string[] | undefined): number | undefined {
  const text = String(header ?? '').trim()
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return wait > 0 ? wait : undefined
}
