import { deskKind } from '../../desk/ticket/ticket.ts'
import { visibleContainers } from '../../identity/visibility.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { urlFault } from '../../platform/outbound/outbound.ts'
import { breaksLine, plainAddress } from '../address.ts'
import { domainFaults } from '../stop-list/stop-list-faults.ts'
import { serverFault } from '../transport/mail-server.ts'
import { mailboxFindings } from './mailbox-findings.ts'
import { type Mailbox, type MailboxValues, mailboxShape } from './mailbox-shape.ts'

export type { Mailbox, MailboxValues } from './mailbox-shape.ts'

const stateSchema: Schema = {
  type: 'object',
  description: 'The state of reading: the last success, the last error, and the number of waiting messages.',
  properties: {
    lastFetch: { type: ['string', 'null'], format: 'date-time' },
    lastError: { type: 'string' },
    backlog: { type: 'integer' },
  },
  required: ['lastFetch', 'lastError', 'backlog'],
}

/** A mail address at which the tenant receives mail, and from which it sends. */
export const mailboxes = resource('Mailbox', {
  about:
    'A mail address of a service desk. Incoming mail is read by IMAP and becomes tickets and messages; replies are sent through its SMTP server, or through that of the installation. With `auth` `oauth` it signs in by OAuth 2.0, with a refresh token or with client credentials. Passwords, tokens and keys are write-only; `***` in an update keeps them.',
  shape: mailboxShape,
  required: ['name', 'address'],
  derived: {
    state: {
      schema: stateSchema,
      value:
        m => sql`coalesce((select json_build_object('lastFetch', ${instantText(sql`s.last_fetch`)}, 'lastError', s.last_error, 'backlog', s.backlog)
        from mailbox_state s where s.tenant_id = ${ownTenant} and s.mailbox_id = ${m}.id), '{"lastFetch": null, "lastError": "", "backlog": 0}'::json)`,
    },
  },
  visible: visibleMailboxes,
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

/** The mailbox of a private container is for those who see the container. */
function visibleMailboxes(caller: Caller, m: Sql): Sql {
  return or([sql`${m}.container_id is null`, visibleContainers(caller, sql`${m}.container_id`)])
}

async function checkMailbox(ctx: Context, mailbox: MailboxValues, before: Mailbox | undefined): Promise<void> {
  const faults: Fault[] = []
  for (const protocol of ['imap', 'smtp'] as const) {
    const server = mailbox[protocol]
    if (!server.host || JSON.stringify(server) === JSON.stringify(before?.[protocol])) continue
    const wrong = serverFault(protocol, server, ctx.services.outboundRules)
    if (wrong) faults.push(fault([protocol, 'host'], 'host', wrong, server.host))
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
    throw new RuleBroken('not-a-desk', 'mail becomes tickets, and only a service desk holds tickets', [
      fault(['containerId'], 'not-a-desk', 'is not a service desk (kind 1)', mailbox.containerId),
    ])
}

function dkimFaults({ domain = '', selector = '' }: MailboxValues['dkim']): Fault[] {
  const isName = (text: string) => /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(text)
  return Object.entries({ domain, selector }).flatMap(([property, value]) =>
    value === '' || isName(value) ? [] : [fault(['dkim', property], 'dns-name', 'must be a valid DNS name', value)],
  )
}

/** Returns all addresses of the tenant's mailboxes, in lower case. Mail from them was sent by Gantry, and only they may send. */
export async function ownAddresses(ctx: Context): Promise<Set<string>> {
  const rows = await ctx.sql<{ address: string; aliases: string[] }>`select address, aliases from mailbox
    where tenant_id = ${ctx.caller.tenantId} and not deleted`
  return new Set(rows.flatMap(({ address, aliases }) => [address, ...aliases]).map(plainAddress))
}

/** Returns the mailbox that sends mail about an item: that of the ticket, else of its container, else the default of the tenant. */
export async function mailboxFor(
  ctx: Context,
  { itemId = '', from = '' }: { itemId?: Id; from?: string },
): Promise<Mailbox | undefined> {
  const m = raw('m')
  const [row] = await ctx.sql<{ json: string }>`select ${mailboxes.json(m)} as json from mailbox m
    left join item i on i.tenant_id = ${ownTenant} and i.id = ${itemId || null}::uuid
    left join ticket t on t.tenant_id = ${ownTenant} and t.id = i.id
    where m.tenant_id = ${ctx.caller.tenantId} and not m.deleted
    order by t.mailbox_id is not distinct from m.id desc, m.container_id is not distinct from i.container_id and i.id is not null desc,
      lower(m.address) = lower(${from}) desc, m.active desc, m.created, m.id limit 1`
  return row && JSON.parse(row.json)
}
