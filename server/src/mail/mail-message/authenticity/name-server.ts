import { Resolver } from 'node:dns/promises'
import type { DNSResolver } from 'mailauth'
import type { OutboundRules } from '../../../platform/outbound/outbound.ts'

/** Asks the DNS for records of a type, as `dns.resolve` does. */
export type DnsQuery = DNSResolver

/** So many questions about one mail; a mail that needs more is made to. */
const maxQuestions = 40

/** What has no answer: `code` as Node says it. */
class NoRecord extends Error {
  readonly code = 'ENODATA'
}

/** Those who are asked about domains; nobody, where the operator wants it so. They are given up after a few seconds. */
export function dnsQuery({ mailDns = 'on' }: OutboundRules): DnsQuery | undefined {
  if (mailDns === 'off') return undefined
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (mailDns !== 'on') resolver.setServers([...mailDns])
  // The overloads of Node say more than anybody here needs to know.
  return resolver.resolve.bind(resolver) as unknown as DnsQuery
}

/** The same for one mail, which may not ask without end, and about keys of those only whose word would count. */
export function limitedQuery(ask: DnsQuery, mayAsk: (signer: string) => boolean): DnsQuery {
  let questions = 0
  return async (name, type) => {
    const [, signer] = /\._domainkey\.(.+)$/i.exec(name) ?? []
    if (++questions > maxQuestions || (signer !== undefined && !mayAsk(signer.toLowerCase()))) throw new NoRecord(name)
    return await ask(name, type)
  }
}
