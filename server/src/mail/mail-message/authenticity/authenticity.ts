import { domainToASCII } from 'node:url'
import { domainOf } from '../../address.ts'
import type { ParsedMail } from '../parsing/parsed-mail.ts'

/** Whether a mail is from whom it says: 0 nobody can tell · 1 proven · 2 not proven, so it is heard as a stranger's. */
export const senderProof = { unknown: 0, proven: 1, unproven: 2 } as const

/** What SPF, DKIM and DMARC say about a mail, in the words of RFC 8601. What was not looked at is empty. */
export interface AuthenticationCheck {
  /** Who looked: a mail server whose word we take, or `gantry`; nobody, if empty. */
  by: string
  spf: string
  dkim: string
  /** Besides: `neutral`, where no signature fits and the way it came is not known. */
  dmarc: string
  /** What the domain wants done with what fails: `none`, `quarantine` or `reject`. */
  policy: string
  /** A signature, or the way it came, belongs to the domain that it says it is from. */
  aligned: boolean
}

/** What is kept with the message. */
export type Authenticity = Omit<AuthenticationCheck, 'aligned'> & { verdict: number; domain: string }

export const unchecked: AuthenticationCheck = { by: '', spf: '', dkim: '', dmarc: '', policy: '', aligned: false }

/** What follows from what was found. With `demandProof`, a domain that publishes nothing proves nothing. */
export function authenticityOf(
  mail: ParsedMail,
  checked: AuthenticationCheck,
  { demandProof }: { demandProof: boolean },
): Authenticity {
  const { aligned, ...said } = checked
  return { ...said, domain: fromDomain(mail), verdict: proofOf(mail, { aligned, ...said }, demandProof) }
}

function proofOf(mail: ParsedMail, { by, dmarc, policy, aligned }: AuthenticationCheck, demandProof: boolean): number {
  // Two authors, and every program shows another one.
  if (mail.authors !== 1) return senderProof.unproven
  if (by === '') return senderProof.unknown
  if (aligned) return senderProof.proven
  if (dmarc === 'fail' || (dmarc === 'neutral' && enforces(policy))) return senderProof.unproven
  return demandProof ? senderProof.unproven : senderProof.unknown
}

const enforces = (policy: string) => policy === 'reject' || policy === 'quarantine'

/** Why it is kept apart: its domain says that such mail is not its own, and wants it refused. */
export function spoofReason({ dmarc, policy, domain }: Authenticity, spoofPolicy: number): string | undefined {
  if (dmarc !== 'fail' || spoofPolicy === spoofPolicies.mark) return undefined
  return policy === 'reject' || (policy === 'quarantine' && spoofPolicy === spoofPolicies.quarantine)
    ? `it is not from ${domain}, which wants such mail to be refused (DMARC)`
    : undefined
}

/** 0 what the domain wants rejected lies in quarantine · 1 what it wants in quarantine, too · 2 all of it is only marked. */
export const spoofPolicies = { reject: 0, quarantine: 1, mark: 2 } as const

/** In one line, for the steps. */
export function describeAuthenticity({ verdict: found, by, spf, dkim, dmarc, policy, domain }: Authenticity): string {
  if (by === '') return found === senderProof.unproven ? 'more than one author' : 'nobody has looked'
  const word =
    found === senderProof.proven ? 'proven' : found === senderProof.unproven ? 'not proven' : 'nobody can tell'
  const says = Object.entries({ spf, dkim, dmarc }).flatMap(([name, result]) => (result ? [`${name}=${result}`] : []))
  return `${word}, says ${by}: ${says.join(' ')}${policy ? ` (${domain} wants ${policy})` : ''}`
}

/** The domain that a mail says it is from, as the DNS spells it. */
export function fromDomain({ from }: Pick<ParsedMail, 'from'>): string {
  return dnsName(domainOf(from?.address ?? ''))
}

export function dnsName(domain: string): string {
  return domainToASCII(domain.trim().replace(/\.$/, '')).toLowerCase()
}

/** One stands above the other, or they are the same: who has the one can speak for the other, as far as anybody here asks. */
export function isRelated(a: string, b: string): boolean {
  return a !== '' && b !== '' && (a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`))
}
