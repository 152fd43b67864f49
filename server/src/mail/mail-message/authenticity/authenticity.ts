import { domainToASCII } from 'node:url'
import { domainOf } from '../../address.ts'
import type { ParsedMail } from '../parsing/parsed-mail.ts'

/** Whether a mail is from its stated sender: 0 unknown · 1 proven · 2 not proven, so it is treated as a stranger's. */
export const senderProof = { unknown: 0, proven: 1, unproven: 2 } as const

/** The results of SPF, DKIM and DMARC in the terms of RFC 8601; empty where a method was not checked. */
export interface AuthenticationCheck {
  /** Who checked: a trusted mail server, or `gantry`; empty if nobody did. */
  by: string
  spf: string
  dkim: string
  /** Also `neutral`: no signature is aligned and the sending host is unknown. */
  dmarc: string
  /** The policy of the domain for mail that fails: `none`, `quarantine` or `reject`. */
  policy: string
  /** A valid signature or the sending host belongs to the domain of the From header. */
  aligned: boolean
}

/** What is stored with the message. */
export type Authenticity = Omit<AuthenticationCheck, 'aligned'> & { verdict: number; domain: string }

export const unchecked: AuthenticationCheck = { by: '', spf: '', dkim: '', dmarc: '', policy: '', aligned: false }

/** Derives the proof from the checks. With `demandProof`, mail of a domain that publishes nothing counts as not proven. */
export function authenticityOf(
  mail: ParsedMail,
  checked: AuthenticationCheck,
  { demandProof }: { demandProof: boolean },
): Authenticity {
  const { aligned, ...said } = checked
  return { ...said, domain: fromDomain(mail), verdict: proofOf(mail, { aligned, ...said }, demandProof) }
}

function proofOf(mail: ParsedMail, { by, dmarc, policy, aligned }: AuthenticationCheck, demandProof: boolean): number {
  // With two authors, mail programs differ in which one they show.
  if (mail.authors !== 1) return senderProof.unproven
  if (by === '') return senderProof.unknown
  if (aligned) return senderProof.proven
  if (dmarc === 'fail' || (dmarc === 'neutral' && enforces(policy))) return senderProof.unproven
  return demandProof ? senderProof.unproven : senderProof.unknown
}

const enforces = (policy: string) => policy === 'reject' || policy === 'quarantine'

/** Why a message goes to quarantine: it fails DMARC, and its domain wants such mail refused. */
export function spoofReason({ dmarc, policy, domain }: Authenticity, spoofPolicy: number): string | undefined {
  if (dmarc !== 'fail' || spoofPolicy === spoofPolicies.mark) return undefined
  return policy === 'reject' || (policy === 'quarantine' && spoofPolicy === spoofPolicies.quarantine)
    ? `it is not from ${domain}, which wants such mail to be refused (DMARC)`
    : undefined
}

/** Which mail that fails DMARC goes to quarantine, by the policy of its domain; the codes of `spoofPolicy`. */
export const spoofPolicies = { reject: 0, quarantine: 1, mark: 2 } as const

/** One line for the processing steps. */
export function describeAuthenticity({ verdict: found, by, spf, dkim, dmarc, policy, domain }: Authenticity): string {
  if (by === '') return found === senderProof.unproven ? 'more than one author' : 'not checked'
  const word = found === senderProof.proven ? 'proven' : found === senderProof.unproven ? 'not proven' : 'unknown'
  const says = Object.entries({ spf, dkim, dmarc }).flatMap(([name, result]) => (result ? [`${name}=${result}`] : []))
  return `${word}, according to ${by}: ${says.join(' ')}${policy ? ` (${domain} wants ${policy})` : ''}`
}

/** The domain of the From header, in the spelling of the DNS. */
export function fromDomain({ from }: Pick<ParsedMail, 'from'>): string {
  return dnsName(domainOf(from?.address ?? ''))
}

export function dnsName(domain: string): string {
  return domainToASCII(domain.trim().replace(/\.$/, '')).toLowerCase()
}

/** Whether two domains are the same or one is a subdomain of the other (relaxed alignment). */
export function isRelated(a: string, b: string): boolean {
  return a !== '' && b !== '' && (a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`))
}
