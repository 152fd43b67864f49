import { isEmail } from '../../../kernel/schema/formats.ts'
import { normalizedIssuer } from './issuer.ts'

/** The claims of a verified token. */
export type Claims = Record<string, unknown>

/** A person as the provider describes them. */
export interface Person {
  issuer: string
  subject: string
  name: string
  /** Set only if the provider has verified it. */
  email: string | undefined
  /** Undefined if the groups do not fit into the token, so that they are unknown. */
  groups: ReadonlySet<string> | undefined
}

/** The person of a token; undefined if it is from another directory or has no usable subject. */
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

/** Users of Entra can enter any address as `email`; the directory controls the name they sign in with. */
function mailOfEntra({ email, xms_edov: verified, preferred_username: name }: Claims): string | undefined {
  if (verified === true || verified === 1 || verified === '1' || verified === 'true') return mail(email)
  return text(name).toLowerCase().includes('#ext#') ? undefined : mail(name)
}

function mail(value: unknown): string | undefined {
  const address = text(value).trim()
  return address !== '' && address.length <= 254 && isEmail(address) ? address : undefined
}

/** Beyond about 200 groups Entra sends a link instead of the groups; without groups it sends no claim. */
function groupsIn(claims: Claims, claim: string): ReadonlySet<string> | undefined {
  const { _claim_names: elsewhere, hasgroups } = claims
  const value = claims[claim]
  if (value === undefined) {
    const named = elsewhere !== null && typeof elsewhere === 'object' && Object.hasOwn(elsewhere, claim)
    if (named || hasgroups === true || hasgroups === 'true') return undefined
  }
  return new Set([value].flat().map(text).filter(Boolean))
}

/** The claim as a text; empty if PostgreSQL could not store it. */
function text(value: unknown): string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed() ? value : ''
}
