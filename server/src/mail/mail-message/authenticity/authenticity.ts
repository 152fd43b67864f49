import { domainToASCII } from 'node:url'
import { domainOf } from '../../address.ts'
import type { Parsed } from '../parsing/parsed-mail.ts'

/** Whether a mail is from whom it says: 0 nobody can tell · 1 proven · 2 not proven, so it is heard as a stranger's. */
export const verdict = { unknown: 0, proven: 1, unproven: 2 } as const

/** What SPF, DKIM and DMARC say about a mail, in the words of RFC 8601. What was not looked at is empty. */
export interface Checked {
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
export type Authenticity = Omit<Checked, 'aligned'> & { verdict: number; domain: string }

export const unchecked: Checked = { by: '', spf: '', dkim: '', dmarc: '', policy: '', aligned: false }

/** What follows from what was found. With `demandProof`, a domain that publishes nothing proves nothing. */
export function authenticityOf(
  mail: Parsed,
  checked: Checked,
  { demandProof }: { demandProof: boolean },
): Authenticity {
  const { aligned, ...said } = checked
  return { ...said, domain: fromDomain(mail), verdict: judge(mail, { aligned, ...said }, demandProof) }
}

function judge(mail: Parsed, { by, dmarc, policy, aligned }: Checked, demandProof: boolean): number {
  // Two authors, and every program shows another one.
  if (mail.authors !== 1) return verdict.unproven
  if (by === '') return verdict.unknown
  if (aligned) return verdict.proven
  if (dmarc === 'fail' || (dmarc === 'neutral' && enforces(policy))) return verdict.unproven
  return demandProof ? verdict.unproven : verdict.unknown
}

const enforces = (policy: string) => policy === 'reject' || policy === 'quarantine'

/** Why it is kept apart: its domain says that such mail is not its own, and wants it refused. */
export function spoofed({ dmarc, policy, domain }: Authenticity, spoofPolicy: number): string | undefined {
  if (dmarc !== 'fail' || spoofPolicy === spoof.mark) return undefined
  return policy === 'reject' || (policy === 'quarantine' && spoofPolicy === spoof.quarantine)
    ? `it is not from ${domain}, which wants such mail to be refused (DMARC)`
    : undefined
}

/** 0 what the domain wants rejected lies in quarantine · 1 what it wants in quarantine, too · 2 all of it is only marked. */
export const spoof = { reject: 0, quarantine: 1, mark: 2 } as const

/** In one line, for the steps. */
export function inOneLine({ verdict: found, by, spf, dkim, dmarc, policy, domain }: Authenticity): string {
  if (by === '') return found === verdict.unproven ? 'more than one author' : 'nobody has looked'
  const word = found === verdict.proven ? 'proven' : found === verdict.unproven ? 'not proven' : 'nobody can tell'
  const says = Object.entries({ spf, dkim, dmarc }).flatMap(([name, result]) => (result ? [`${name}=${result}`] : []))
  return `${word}, says ${by}: ${says.join(' ')}${policy ? ` (${domain} wants ${policy})` : ''}`
}

/** The domain that a mail says it is from, as the DNS spells it. */
export function fromDomain({ from }: Pick<Parsed, 'from'>): string {
  return dnsName(domainOf(from?.address ?? ''))
}

export function dnsName(domain: string): string {
  return domainToASCII(domain.trim().replace(/\.$/, '')).toLowerCase()
}

/** One stands above the other, or they are the same: who has the one can speak for the other, as far as anybody here asks. */
export function isRelated(a: string, b: string): boolean {
  return a !== '' && b !== '' && (a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`))
}
