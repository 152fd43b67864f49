const loopback = new Set(['127.0.0.1', '[::1]'])

/**
 * Returns what is wrong with an address that a client wants answers at; undefined if it is allowed. It is compared as a whole with that
 * of a request, so it has no placeholders. A fragment would be lost, and without TLS somebody on the way reads the code.
 */
export function redirectFault(address: string): string | undefined {
  if (!URL.canParse(address) || /[\s\\*]/.test(address)) return 'must be an absolute address without placeholders'
  const { protocol, hostname, username, password } = new URL(address)
  if (address.includes('#')) return 'must not have a fragment'
  if (username !== '' || password !== '') return 'must not contain a user name or a password'
  if (protocol === 'http:')
    return loopback.has(hostname) ? undefined : 'must begin with https://, or with http://127.0.0.1 or http://[::1]'
  if (protocol !== 'https:') return 'must begin with https://, or with http://127.0.0.1 or http://[::1]'
  return isOfThisMachine(hostname) ? 'must begin with http:// if it is of the device of the user' : undefined
}

/** Programs on the device of a user have no certificate. */
function isOfThisMachine(hostname: string): boolean {
  return loopback.has(hostname) || hostname === 'localhost' || hostname.endsWith('.localhost')
}
