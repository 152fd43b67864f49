// What mail addresses are, and what is hidden in them.

/** Somebody at an address, as a mail names them. */
export interface Mailer {
  name: string
  address: string
}

/** In the one spelling that addresses are compared in. */
export function plainAddress(address: string): string {
  return address.trim().toLowerCase()
}

export function domainOf(address: string): string {
  return plainAddress(address).split('@').at(-1) ?? ''
}

/** `support@example.com` and a word: `support+word@example.com`. What is answered there finds its way back. */
export function withToken(address: string, token: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}+${token}${address.slice(at)}`
}

/** The other way round; without a word in it the address stays as it is. */
export function withoutToken(address: string): { address: string; token: string } {
  const [, local, token, domain] = /^([^+@]+)\+([^@]+)@(.+)$/.exec(plainAddress(address)) ?? []
  return local === undefined
    ? { address: plainAddress(address), token: '' }
    : { address: `${local}@${domain}`, token: token ?? '' }
}

/** What would end a header and begin another one. */
export function breaksLine(text: string): boolean {
  return /[\r\n\0\u2028\u2029\u0085]/.test(text)
}

/** One line of text that can be stored and sent, whatever came. */
export function oneLine(text: string, longest: number): string {
  return storable(text)
    .replace(/[\p{Cc}\u2028\u2029\u0085\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
}

/** Without what no text in the database may hold. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
