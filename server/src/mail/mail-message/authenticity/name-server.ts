import { Resolver } from 'node:dns/promises'
import type { DNSResolver } from 'mailauth'
import type { OutboundRules } from '../../../platform/outbound/outbound.ts'

/** Queries the DNS for records of a type, like `dns.resolve`. */
export type DnsQuery = DNSResolver

/** The maximum of queries for one mail; only an attack needs more. */
const maxQuestions = 40

/** The error of a query without an answer, with the `code` that Node uses. */
class NoRecord extends Error {
  readonly code = 'ENODATA'
}

/** Queries the configured name servers, with a timeout of a few seconds; undefined where the operator has turned it off. */
export function dnsQuery({ mailDns = 'on' }: OutboundRules): DnsQuery | undefined {
  if (mailDns === 'off') return undefined
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (mailDns !== 'on') resolver.setServers([...mailDns])
  // The overloads of Node are more specific than the one signature that mailauth needs.
  return resolver.resolve.bind(resolver) as unknown as DnsQuery
}

/** Limits the queries for one mail: in number, and to the keys of signers whose signature would count. */
export function limitedQuery(ask: DnsQuery, mayAsk: (signer: string) => boolean): DnsQuery {
  let questions = 0
  return async (name, type) => {
    const [, signer] = /\._domainkey\.(.+)$/i.exec(name) ?? []
    if (++questions > maxQuestions || (signer !== undefined && !mayAsk(signer.toLowerCase()))) throw new NoRecord(name)
    return await ask(name, type)
  }
}
