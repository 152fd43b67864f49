import { isEmail } from '../../kernel/schema/formats.ts'
import { normalizedIssuer } from './issuer.ts'

/** What a token of a provider says, once it is known to be genuine. */
export type Claims = Record<string, unknown>

/** Somebody as a provider knows them. */
export interface Person {
  issuer: string
  subject: string
  name: string
  /** Only if the provider answers for it. */
  email: string | undefined
  /** Undefined if there are more than fit into a token: then nothing is known of them. */
  groups: ReadonlySet<string> | undefined
}

/** Who a token is about; undefined if it is of another directory, or of nobody who can be told apart. */
export function personIn(
  { provider, entraTenantId, groupClaim }: { provider: string; entraTenantId: string; groupClaim: string },
  claims: Claims,
): Person | undefined {
  const entra = provider === 'entra'
  // `sub` of Entra differs from application to application; `oid` is the same person in all of one directory.
  if (entra && text(claims.tid).toLowerCase() !== entraTenantId.toLowerCase()) return undefined
  const subject = text(entra ? claims.oid : claims.sub)
  const issuer = normalizedIssuer(text(claims.iss))
  if (subject === '' || subject.length > 255 || issuer === '') return undefined
  const email = entra ? mailOfEntra(claims) : mailOf(claims)
  return {
    issuer,
    subject,
    name: (text(claims.name).trim() || email || subject).slice(0, 120),
    email,
    groups: groupsIn(claims, groupClaim || 'groups'),
  }
}

function mailOf({ email, email_verified: verified }: Claims): string | undefined {
  return verified === true || verified === 'true' ? mail(email) : undefined
}

/** Whoever has an account may enter any address there; the name they sign in with is given by their directory. */
function mailOfEntra({ email, xms_edov: verified, preferred_username: name }: Claims): string | undefined {
  if (verified === true || verified === 1 || verified === '1' || verified === 'true') return mail(email)
  return text(name).toLowerCase().includes('#ext#') ? undefined : mail(name)
}

function mail(value: unknown): string | undefined {
  const address = text(value).trim()
  return address !== '' && address.length <= 254 && isEmail(address) ? address : undefined
}

/** Beyond about two hundred groups Entra names a place to ask instead; without any it says nothing at all. */
function groupsIn(claims: Claims, claim: string): ReadonlySet<string> | undefined {
  const { _claim_names: elsewhere, hasgroups } = claims
  const value = claims[claim]
  if (value === undefined) {
    const named = elsewhere !== null && typeof elsewhere === 'object' && Object.hasOwn(elsewhere, claim)
    if (named || hasgroups === true || hasgroups === 'true') return undefined
  }
  return new Set([value].flat().map(text).filter(Boolean))
}

/** What cannot be stored is no text of anybody's. */
function text(value: unknown): string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed() ? value : ''
}
