import { dmarc } from 'mailauth/lib/dmarc/index.js'
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
    record: { type: 'string', description: 'As it stands in the DNS; empty, if there is none.' },
    message: { type: 'string', description: 'What is wrong, or what to see to.' },
  },
  required: ['ok', 'record', 'message'],
}

/** What receivers will see of a domain that mail is sent from. */
export const dnsCheck = operation({
  permission: mailboxes.permissions.update,
  mode: 'read',
  summary: 'Check what the DNS says about a domain that mail is sent from',
  description:
    'Looks up SPF, DMARC and the DKIM keys of the mailboxes that sign for the domain, and says in plain words what is missing. Without `domain` it is that of the oldest mailbox. Where the operator has the DNS not asked (`MAIL_DNS=off`): 422 `no-dns`.',
  query: { domain: { type: 'string', maxLength: 253, description: 'Such as example.com.' } },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      properties: {
        domain: { type: 'string' },
        ok: { type: 'boolean', description: 'Whether nothing is wrong.' },
        spf: found,
        dmarc: found,
        dkim: {
          type: 'array',
          description: 'One for each selector that mail is signed by here; the mail server may sign besides.',
          items: { ...found, properties: { ...found.properties, selector: { type: 'string' } } },
        },
      },
      required: ['domain', 'ok', 'spf', 'dmarc', 'dkim'],
    },
    description: 'What was found.',
  },
  refusals: [422],
  async run(ctx, { query }) {
    const domain = await domainAsked(ctx, query.domain === undefined ? undefined : String(query.domain))
    const keys = await signingKeys(ctx, domain)
    const ask = dnsQuery(ctx.services.outboundRules)
    if (!ask) throw new RuleBroken('no-dns', 'the operator has the DNS not asked about mail (MAIL_DNS)')
    // Told as a stream, because then no connection to the database waits for a foreign host.
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

/** By selector, the keys that mail from the domain is signed with. */
async function signingKeys(ctx: Context, domain: string): Promise<Map<string, string>> {
  const rows = await ctx.sql<{ id: Id; selector: string }>`select id, dkim ->> 'selector' as selector from mailbox
    where tenant_id = ${ctx.caller.tenantId} and not deleted and lower(dkim ->> 'domain') = ${domain} and dkim ->> 'selector' <> '' order by created limit 20`
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
  const found = await dmarc({ headerFrom: domain, resolver: ask })
  if (found && found.status.result === 'temperror') throw new Error('no answer')
  return found ? (found.rr ?? '') : ''
}

async function looked(look: () => Promise<DnsRecordCheck>): Promise<DnsRecordCheck> {
  try {
    return await look()
  } catch {
    return { ok: false, record: '', message: 'the DNS did not answer: try again later' }
  }
}
