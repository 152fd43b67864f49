/** Microsoft's own cloud; others are named by `authority`. */
const microsoft = 'https://login.microsoftonline.com'

export interface ProviderIdentity {
  provider: string
  entraTenantId: string
  authority: string
  issuer: string
}

/**
 * Who must have signed a token. A directory of Entra has an issuer of its own, whatever path its authority was given
 * with: `common` and `organizations` would let every directory in. Any other provider says it itself.
 */
export function issuerOf({ provider, entraTenantId, authority, issuer }: ProviderIdentity): string {
  if (provider !== 'entra') return issuer
  if (entraTenantId === '') return ''
  const origin = URL.canParse(authority) ? new URL(authority).origin : microsoft
  return `${origin}/${entraTenantId.toLowerCase()}/v2.0`
}

/** One spelling of an issuer, to compare by and to know people by; what is no address is nobody's. */
export function normalizedIssuer(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).href.replace(/\/$/, '') : issuer
}

/** `Example.COM.` → `example.com`; undefined if the text is no domain. */
export function normalizedDomain(text: string): string | undefined {
  const host = text.trim().toLowerCase().replace(/\.$/, '')
  if (!/^[^\s@/:?#[\]\\%]+\.[^\s@/:?#[\]\\%.]+$/.test(host) || !URL.canParse(`https://${host}`)) return undefined
  const { hostname } = new URL(`https://${host}`)
  return /[a-z][^.]*$/.test(hostname) ? hostname : undefined
}
