import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { dmarc } from 'mailauth/lib/dmarc/index.js'
import { spf } from 'mailauth/lib/spf/index.js'
import { isPublicAddress } from '../../../platform/outbound/rules.ts'
import { domainOf } from '../../address.ts'
import { header, type ParsedMail } from '../parsing/parsed-mail.ts'
import { checkOfResults, trustedResults } from './authentication-results.ts'
import { type AuthenticationCheck, dnsName, fromDomain, isRelated, unchecked } from './authenticity.ts'
import { type DnsQuery, limitedQuery } from './name-server.ts'

/** All questions together; ms. */
const patience = 5000

/** More signatures than anybody needs: each costs a walk over the whole message. */
const maxSignatures = 10

/**
 * Finds out who wrote a mail: by the word of the server that received it, if the mailbox trusts one; else by what the
 * domain publishes. A DNS that does not answer proves nothing, and stops nothing.
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
    looked.catch(() => {}) // too late for anybody
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

/** What the domain publishes about its mail, and whether this one fits. */
async function byPolicy(
  passes: Passes,
  domain: string,
  ask: DnsQuery,
  wayIsKnown: boolean,
): Promise<AuthenticationCheck> {
  const { spfDomains, dkimDomains } = passes
  const found = await dmarc({
    headerFrom: domain,
    spfDomains,
    dkimDomains: dkimDomains.map(each => ({ domain: each })),
    resolver: ask,
  })
  const result = found ? found.status.result : 'permerror'
  return {
    ...plain(passes),
    // A domain may have mail on its way without a signature, and then only the way would tell.
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

/** Signatures of the domain itself, or of one above or below it. One that leaves out the end of the message proves nothing. */
async function signatures(raw: Buffer, mail: ParsedMail, domain: string, ask: DnsQuery): Promise<Passed> {
  const all = header(mail, 'dkim-signature')
  const signers = all.map(each => dnsName(/(?:^|;)\s*d\s*=\s*([^\s;]+)/i.exec(each)?.[1] ?? ''))
  if (!signers.some(each => isRelated(each, domain))) return { result: 'none', domains: [] }
  if (all.length > maxSignatures) return { result: 'permerror', domains: [] }
  const { results, headerFrom } = await dkimVerify(raw, { resolver: ask, rejectRsaSha1: true })
  // Whoever reads another author out of it than we do has proven that one.
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
 * From whom the mailbox's own servers had it. They write on top of what was there, so the first address from outside,
 * going down as long as they pass it among themselves, is the one that they saw. Where one does not say from whom it had
 * it, nothing below is believed: the sender may have written it.
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
  const { status } = await spf({ sender, ip, helo, mta: ours, resolver: ask, maxElapsedTime: patience })
  return { result: status.result, domains: status.result === 'pass' ? [from] : [] }
}
