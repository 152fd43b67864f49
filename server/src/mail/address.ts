// Mail addresses, and the thread tokens in them.

/** A person with a mail address, as a header names them. */
export interface Mailer {
  name: string
  address: string
}

/** The spelling in which addresses are compared. */
export function plainAddress(address: string): string {
  return address.trim().toLowerCase()
}

export function domainOf(address: string): string {
  return plainAddress(address).split('@').at(-1) ?? ''
}

/** Adds a token to the local part: `support+token@example.com`. An answer to that address is matched to its ticket. */
export function withToken(address: string, token: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}+${token}${address.slice(at)}`
}

/** Splits the token off; an address without one stays as it is. */
export function withoutToken(address: string): { address: string; token: string } {
  const [, local, token, domain] = /^([^+@]+)\+([^@]+)@(.+)$/.exec(plainAddress(address)) ?? []
  return local === undefined
    ? { address: plainAddress(address), token: '' }
    : { address: `${local}@${domain}`, token: token ?? '' }
}

/** Whether a text contains a line break, with which it would inject another header. */
export function breaksLine(text: string): boolean {
  return /[\r\n\0\u2028\u2029\u0085]/.test(text)
}

/** Makes one line of a text, without control characters, that can be stored and sent. */
export function oneLine(text: string, longest: number): string {
  return storable(text)
    .replace(/[\p{Cc}\u2028\u2029\u0085\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
}

/** Removes what PostgreSQL cannot store in a text: NUL and lone surrogates. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
