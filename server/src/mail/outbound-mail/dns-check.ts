import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { isInternalName } from '../../platform/outbound/rules.ts'
import { readSecret } from '../../platform/secrets.ts'
import { domainOf } from '../address.ts'
import { dnsName } from '../mail-message/authenticity/authenticity.ts'
import { type DnsQuery, dnsQuery } from '../mail-message/authenticity/name-server.ts'
import { mailboxes } from '../mailbox/mailbox.ts'
import { checkDkim, checkDmarc, checkSpf, type DnsRecordCheck } from './dns-records.ts'

const found: Schema = {
  type: 'object',
  properties: {
    ok: { type: 'boolean' },
    record: { type: 'string', description: 'The record in the DNS; empty if there is none.' },
    message: { type: 'string', description: 'The fault, or advice.' },
  },
  required: ['ok', 'record', 'message'],
}

/** Checks the DNS records by which receivers judge mail from a domain. */
export const dnsCheck = operation({
  permission: mailboxes.permissions.update,
  mode: 'read',
  summary: 'Check the DNS records of a sending domain',
  description:
    'Looks up SPF, DMARC and the DKIM keys of the mailboxes that sign for the domain, and describes what is missing. `domain` defaults to that of the oldest mailbox. Where the operator has disabled DNS queries (`MAIL_DNS=off`): 422 `no-dns`.',
  query: { domain: { type: 'string', maxLength: 253, description: 'A domain such as example.com.' } },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      properties: {
        domain: { type: 'string' },
        ok: { type: 'boolean', description: 'Whether all checks passed.' },
        spf: found,
        dmarc: found,
        dkim: {
          type: 'array',
          description:
            'One result per selector with which Gantry signs; the mail server may add signatures of its own.',
          items: { ...found, properties: { ...found.properties, selector: { type: 'string' } } },
        },
      },
      required: ['domain', 'ok', 'spf', 'dmarc', 'dkim'],
    },
    description: 'The results.',
  },
  refusals: [422],
  async run(ctx, { query }) {
    const domain = await domainAsked(ctx, query.domain === undefined ? undefined : String(query.domain))
    const keys = await signingKeys(ctx, domain)
    const ask = dnsQuery(ctx.services.outboundRules)
    if (!ask) throw new RuleBroken('no-dns', 'the operator has disabled DNS queries for mail (MAIL_DNS)')
    // The reply is a stream, so that no database connection is held while waiting for a foreign host.
    return {
      async *stream() {
        const spf = await looked(async () => checkSpf(await texts(ask, domain)))
        const policy = await looked(async () => checkDmarc(await policyOf(domain, ask)))
        const dkim: (DnsRecordCheck & { selector: string })[] = []
        for (const [selector, key] of keys)
          dkim.push({
            selector,
            ...(await looked(async () => checkDkim(await texts(ask, `${selector}._domainkey.${domain}`), key))),
          })
        yield JSON.stringify({ domain, ok: [spf, policy, ...dkim].every(each => each.ok), spf, dmarc: policy, dkim })
      },
    }
  },
})

async function domainAsked(ctx: Context, given: string | undefined): Promise<string> {
  const [oldest] = given
    ? []
    : await ctx.sql<{
        address: string
      }>`select address from mailbox where tenant_id = ${ctx.caller.tenantId} and not deleted
        order by created, id limit 1`
  const domain = dnsName(given ?? domainOf(oldest?.address ?? ''))
  if (domain === '' || isInternalName(domain) || !/^[a-z0-9_.-]+$/.test(domain))
    throw new Invalid([fault(['domain'], 'domain', 'must be a domain such as example.com', given ?? '')])
  return domain
}

/** Returns the private keys that sign mail from the domain, by selector. */
async function signingKeys(ctx: Context, domain: string): Promise<Map<string, string>> {
  const rows = await ctx.sql<{ id: Id; selector: string }>`select id, dkim ->> 'selector' as selector from mailbox
    where tenant_id = ${ctx.caller.tenantId} and not deleted and lower(dkim ->> 'domain') = ${domain} and dkim ->> 'selector' <> '' order by created, id limit 20`
  const keys = new Map<string, string>()
  for (const { id, selector } of rows) {
    const key = await readSecret(ctx, id, 'dkimKey')
    if (key) keys.set(selector, key)
  }
  return keys
}

async function texts(ask: DnsQuery, name: string): Promise<string[]> {
  try {
    return (await ask(name, 'TXT')).map(each => [each].flat().join(''))
  } catch (error) {
    if (['ENOTFOUND', 'ENODATA'].includes(String(Reflect.get(Object(error), 'code')))) return []
    throw error
  }
}

async function policyOf(domain: string, ask: DnsQuery): Promise<string> {
  const { dmarc } = await import('mailauth/lib/dmarc/index.js')
  const found = await dmarc({ headerFrom: domain, resolver: ask })
  if (found && found.status.result === 'temperror') throw new Error('no answer')
  return found ? (found.rr ?? '') : ''
}

async function looked(look: () => Promise<DnsRecordCheck>): Promise<DnsRecordCheck> {
  try {
    return await look()
  } catch {
    return { ok: false, record: '', message: 'the DNS did not answer; try again later' }
  }
}
