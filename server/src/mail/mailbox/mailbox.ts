import { deskKind } from '../../desk/ticket/ticket.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { urlFault } from '../../platform/outbound/outbound.ts'
import { breaksLine, plainAddress } from '../address.ts'
import { domainFaults } from '../stop-list-faults.ts'
import { serverFault } from '../transport/mail-server.ts'
import { mailboxFindings } from './mailbox-findings.ts'
import { type Mailbox, type MailboxValues, mailboxShape } from './mailbox-shape.ts'

export type { Mailbox, MailboxValues } from './mailbox-shape.ts'

const stateSchema: Schema = {
  type: 'object',
  description: 'How the reading goes: when it last went well, what is wrong, and how many messages wait.',
  properties: {
    lastFetch: { type: ['string', 'null'], format: 'date-time' },
    lastError: { type: 'string' },
    backlog: { type: 'integer' },
  },
  required: ['lastFetch', 'lastError', 'backlog'],
}

/** An address at which people write to the tenant, and from which it answers. */
export const mailboxes = resource('Mailbox', {
  about:
    'An address at which people write to a desk. What comes in is read by IMAP and becomes tickets and messages; answers leave through its SMTP server, or through that of the installation. With `auth` `oauth` it signs in by OAuth 2.0, with a refresh token or as a client of its own. Passwords, tokens and keys are written and never shown; `***` sent back keeps them.',
  shape: mailboxShape,
  required: ['name', 'address'],
  derived: {
    state: {
      schema: stateSchema,
      value:
        m => sql`coalesce((select json_build_object('lastFetch', ${instantText(sql`s.last_fetch`)}, 'lastError', s.last_error, 'backlog', s.backlog)
        from mailbox_state s where s.tenant_id = ${m}.tenant_id and s.mailbox_id = ${m}.id), '{"lastFetch": null, "lastError": "", "backlog": 0}'::json)`,
    },
  },
  check: checkMailbox,
  findings: mailboxFindings,
  example: {
    name: 'Support',
    address: 'support@example.com',
    imap: { host: 'imap.example.com', user: 'support@example.com' },
    smtp: { host: 'smtp.example.com', user: 'support@example.com' },
    password: 'the password of the mailbox',
  },
})

async function checkMailbox(ctx: Context, mailbox: MailboxValues, before: Mailbox | undefined): Promise<void> {
  const faults: Fault[] = []
  for (const protocol of ['imap', 'smtp'] as const) {
    const said = mailbox[protocol]
    if (!said.host || JSON.stringify(said) === JSON.stringify(before?.[protocol])) continue
    const wrong = serverFault(protocol, said, ctx.services.outboundRules)
    if (wrong) faults.push(fault([protocol, 'host'], 'host', wrong, said.host))
  }
  const { tokenUrl = '' } = mailbox.oauth
  const wrongUrl =
    tokenUrl && tokenUrl !== before?.oauth.tokenUrl ? urlFault(tokenUrl, ctx.services.outboundRules) : undefined
  if (wrongUrl) faults.push(fault(['oauth', 'tokenUrl'], 'url', wrongUrl, tokenUrl))
  faults.push(...domainFaults(mailbox.trustedAuthHosts, 'trustedAuthHosts'), ...dkimFaults(mailbox.dkim))
  for (const property of ['name', 'moveTo'] as const)
    if (breaksLine(mailbox[property])) faults.push(fault([property], 'line', 'must be one line', mailbox[property]))
  if (faults.length > 0) throw new Invalid(faults)
  const [desk] = mailbox.containerId
    ? await ctx.sql<{
        kind: number
      }>`select kind from container where tenant_id = ${ctx.caller.tenantId} and id = ${mailbox.containerId}`
    : []
  if (desk && desk.kind !== deskKind && mailbox.containerId !== before?.containerId)
    throw new RuleBroken('not-a-desk', 'mail becomes tickets, and tickets live on service desks', [
      fault(['containerId'], 'not-a-desk', 'is not a service desk (kind 1)', mailbox.containerId),
    ])
}

function dkimFaults({ domain = '', selector = '' }: MailboxValues['dkim']): Fault[] {
  const isName = (text: string) => /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(text)
  return Object.entries({ domain, selector }).flatMap(([property, value]) =>
    value === '' || isName(value)
      ? []
      : [fault(['dkim', property], 'dns-name', 'must be a name as the DNS has it', value)],
  )
}

/** All addresses of the tenant, in lower case: mail from them is our own, and mail is sent from them alone. */
export async function ownAddresses(ctx: Context): Promise<Set<string>> {
  const rows = await ctx.sql<{ address: string; aliases: string[] }>`select address, aliases from mailbox
    where tenant_id = ${ctx.caller.tenantId} and not deleted`
  return new Set(rows.flatMap(({ address, aliases }) => [address, ...aliases]).map(plainAddress))
}

/** The mailbox that answers for an item: the ticket's own, else that of its container, else the tenant's usual one. */
export async function mailboxFor(
  ctx: Context,
  { itemId = '', from = '' }: { itemId?: Id; from?: string },
): Promise<Mailbox | undefined> {
  const m = raw('m')
  const [row] = await ctx.sql<{ json: string }>`select ${mailboxes.json(m)} as json from mailbox m
    left join item i on i.tenant_id = m.tenant_id and i.id = ${itemId || null}::uuid
    left join ticket t on t.tenant_id = i.tenant_id and t.id = i.id
    where m.tenant_id = ${ctx.caller.tenantId} and not m.deleted
    order by t.mailbox_id is not distinct from m.id desc, m.container_id is not distinct from i.container_id and i.id is not null desc,
      lower(m.address) = lower(${from}) desc, m.active desc, m.created, m.id limit 1`
  return row && JSON.parse(row.json)
}
