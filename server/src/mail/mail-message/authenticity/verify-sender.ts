import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPublicAddress } from '../../../platform/outbound/rules.ts'
import { domainOf } from '../../address.ts'
import { header, type ParsedMail } from '../parsing/parsed-mail.ts'
import { checkOfResults, trustedResults } from './authentication-results.ts'
import { type AuthenticationCheck, dnsName, fromDomain, isRelated, unchecked } from './authenticity.ts'
import { type DnsQuery, limitedQuery } from './name-server.ts'

// The libraries are loaded when a mail is verified: most processes verify none, and they take several MiB.

/** The timeout of all queries together; ms. */
const patience = 5000

/** The maximum of signatures: the verification of each reads the whole message. */
const maxSignatures = 10

/**
 * Verifies the sender of a mail: by the results of the receiving server, if the mailbox trusts one; otherwise by the records that
 * the domain publishes. A DNS that does not answer proves nothing and stops nothing.
 */
export async function verifySender(
  raw: Buffer,
  mail: ParsedMail,
  { hosts, ask }: { hosts: readonly string[]; ask: DnsQuery | undefined },
): Promise<AuthenticationCheck> {
  const domain = fromDomain(mail)
  const results = trustedResults(mail, hosts)
  const told = results && checkOfResults(results, domain)
  if (told && (told.dmarc !== '' || !ask)) return plain(told)
  if (!ask || domain === '') return unchecked
  const asking = limitedQuery(ask, signer => isRelated(dnsName(signer), domain))
  const late = new AbortController()
  const looked = told
    ? byPolicy(told, domain, asking, told.spf !== '')
    : look(raw, mail, { hosts, domain, ask: asking })
  try {
    return await Promise.race([looked, sleep(patience, broken, { signal: late.signal, ref: false })])
  } catch {
    return broken
  } finally {
    late.abort()
    looked.catch(() => {}) // the result is no longer used
  }
}

const ours = 'gantry'
const broken: AuthenticationCheck = { ...unchecked, by: ours, dmarc: 'temperror' }

type Passes = AuthenticationCheck & { spfDomains: string[]; dkimDomains: string[] }

const plain = ({ by, spf: way, dkim, dmarc: whole, policy, aligned }: AuthenticationCheck): AuthenticationCheck => ({
  by,
  spf: way,
  dkim,
  dmarc: whole,
  policy,
  aligned,
})

async function look(
  raw: Buffer,
  mail: ParsedMail,
  { hosts, domain, ask }: { hosts: readonly string[]; domain: string; ask: DnsQuery },
): Promise<AuthenticationCheck> {
  const signed = await signatures(raw, mail, domain, ask)
  const hop = hopOf(mail, hosts)
  const way = hop && (await wayOf(mail, hop, domain, ask))
  const passes = {
    ...unchecked,
    by: ours,
    dkim: signed.result,
    spf: way?.result ?? '',
    dkimDomains: signed.domains,
    spfDomains: way?.domains ?? [],
  }
  const checked = await byPolicy(passes, domain, ask, hop !== undefined)
  const undecided = !checked.aligned && [checked.spf, checked.dkim].includes('temperror')
  return undecided ? { ...checked, dmarc: 'temperror' } : checked
}

/** Reads the DMARC policy of the domain, and checks whether the mail is aligned with it. */
async function byPolicy(
  passes: Passes,
  domain: string,
  ask: DnsQuery,
  wayIsKnown: boolean,
): Promise<AuthenticationCheck> {
  const { spfDomains, dkimDomains } = passes
  const { dmarc } = await import('mailauth/lib/dmarc/index.js')
  const found = await dmarc({
    headerFrom: domain,
    spfDomains,
    dkimDomains: dkimDomains.map(each => ({ domain: each })),
    resolver: ask,
  })
  const result = found ? found.status.result : 'permerror'
  return {
    ...plain(passes),
    // Mail of a domain may be unsigned; then only the sending host could prove it, and that is unknown.
    dmarc: result === 'fail' && !wayIsKnown ? 'neutral' : result,
    policy: found ? (found.policy ?? '') : '',
    aligned:
      result === 'pass' || (result === 'none' && [...spfDomains, ...dkimDomains].some(each => isRelated(each, domain))),
  }
}

interface Passed {
  result: string
  domains: string[]
}

/** Verifies the signatures of the domain and of its parents and subdomains. One that does not cover the end of the body proves nothing. */
async function signatures(raw: Buffer, mail: ParsedMail, domain: string, ask: DnsQuery): Promise<Passed> {
  const all = header(mail, 'dkim-signature')
  const signers = all.map(each => dnsName(/(?:^|;)\s*d\s*=\s*([^\s;]+)/i.exec(each)?.[1] ?? ''))
  if (!signers.some(each => isRelated(each, domain))) return { result: 'none', domains: [] }
  if (all.length > maxSignatures) return { result: 'permerror', domains: [] }
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js')
  const { results, headerFrom } = await dkimVerify(raw, { resolver: ask, rejectRsaSha1: true })
  // If the verifier reads another author than our parser, its result is about that author.
  if (headerFrom.length !== 1 || dnsName(domainOf(headerFrom[0] ?? '')) !== domain)
    return { result: 'permerror', domains: [] }
  const own = results.filter(({ signingDomain = '' }) => isRelated(dnsName(signingDomain), domain))
  const good = own.filter(({ status }) => status.result === 'pass' && !status.underSized)
  const result =
    good.length > 0 ? 'pass' : own.some(({ status }) => status.result === 'temperror') ? 'temperror' : 'fail'
  return { result, domains: good.map(({ signingDomain = '' }) => dnsName(signingDomain)) }
}

interface Hop {
  ip: string
  helo: string
}

/**
 * The host that handed the mail to the servers of the mailbox. Servers add their `Received` header on top, so going down through
 * the headers of the trusted servers, the first external address is the one that they saw. Where a header names no address,
 * nothing below it is trusted: the sender may have written it.
 */
function hopOf(mail: ParsedMail, hosts: readonly string[]): Hop | undefined {
  const trusted = hosts.map(dnsName)
  for (const line of header(mail, 'received')) {
    const [, by = ''] = /\bby\s+([^\s;()]+)/i.exec(line) ?? []
    if (!trusted.includes(dnsName(by))) return undefined
    const [, helo = '', seen = ''] = /^\s*from\s+(\S+)(?:\s+\(([^()]*))?/i.exec(line) ?? []
    const [, ip = ''] = /\[(?:IPv6:)?([^\]]+)\]/i.exec(seen) ?? []
    if (isIP(ip) && isPublicAddress(ip)) return { ip, helo }
    const amongThem = isIP(ip) || (trusted.includes(dnsName(helo)) && /\bwith\s+lmtp/i.test(line))
    if (!amongThem) return undefined
  }
  return undefined
}

async function wayOf(mail: ParsedMail, { ip, helo }: Hop, domain: string, ask: DnsQuery): Promise<Passed> {
  const [sender = ''] = header(mail, 'return-path').map(each => each.replace(/^<|>$/g, '').trim())
  const from = dnsName(domainOf(sender))
  if (!sender.includes('@') || !isRelated(from, domain)) return { result: 'none', domains: [] }
  const { spf } = await import('mailauth/lib/spf/index.js')
  const { status } = await spf({ sender, ip, helo, mta: ours, resolver: ask, maxElapsedTime: patience })
  return { result: status.result, domains: status.result === 'pass' ? [from] : [] }
}
