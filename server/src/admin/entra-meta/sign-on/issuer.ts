/** The public cloud of Microsoft; `authority` names national clouds. */
const microsoft = 'https://login.microsoftonline.com'

interface ProviderIdentity {
  provider: string
  entraTenantId: string
  authority: string
  issuer: string
}

/**
 * The issuer that tokens must have. For Entra it is derived from the id of the directory and not from the path of the
 * authority, because `common` and `organizations` would accept every directory. For other providers it is stored.
 */
export function issuerOf({ provider, entraTenantId, authority, issuer }: ProviderIdentity): string {
  if (provider !== 'entra') return issuer
  if (entraTenantId === '') return ''
  const origin = URL.canParse(authority) ? new URL(authority).origin : microsoft
  return `${origin}/${entraTenantId.toLowerCase()}/v2.0`
}

/** One spelling of an issuer, for comparisons and for stored identities. */
export function normalizedIssuer(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).href.replace(/\/$/, '') : issuer
}

/** `Example.COM.` → `example.com`; undefined if the text is not a domain. */
export function normalizedDomain(text: string): string | undefined {
  const host = text.trim().toLowerCase().replace(/\.$/, '')
  if (!/^[^\s@/:?#[\]\\%]+\.[^\s@/:?#[\]\\%.]+$/.test(host) || !URL.canParse(`https://${host}`)) return undefined
  const { hostname } = new URL(`https://${host}`)
  return /[a-z][^.]*$/.test(hostname) ? hostname : undefined
}
