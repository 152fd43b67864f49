import { Type } from 'typebox'
import { instantText } from '../../kernel/columns.ts'
import type { Context } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { type Expect, resource, type Stored, type Values } from '../../kernel/resource.ts'
import { dropSecrets, keepSecret, mask, readSecret } from '../../kernel/secrets.ts'
import type { Schema } from '../../kernel/shape.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { Code, Count, Email, LocalDate, LongText, Name, Part, Ref, Text } from '../../kernel/values.ts'
import { breaksLine, plainAddress } from '../address.ts'
import { type MailServer, portOf, serverFault } from '../transport/place.ts'
import { mailboxFindings } from './findings.ts'

const server = {
  host: Text(253),
  port: Count(65_535),
  security: Code({ description: '0 TLS from the first byte · 1 STARTTLS · 2 none, where the operator allows it.' }),
  user: Text(254),
}

const shape = {
  name: Name(120),
  address: Type.String({ format: 'email', minLength: 3, maxLength: 254, examples: ['support@example.com'] }),
  aliases: Type.Array(Email, { maxItems: 50 }),
  protocol: Code({
    description:
      '0 IMAP · 1 POP3 · 2 Graph · 3 Gmail API · 4 pushed by SMTP or LMTP · 5 forwarding. Only 0 is read by itself.',
  }),
  auth: Text(20, { default: 'password', examples: ['password'] }),
  imap: Part({ ...server, folder: Text(200) }),
  smtp: Part(server),
  password: Text(1000, { writeOnly: true }),
  smtpPassword: Text(1000, { writeOnly: true }),
  containerId: Ref('Container'),
  processId: Ref('Process'),
  groupId: Ref('UserGroup'),
  defaults: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description: 'What a new ticket has besides, as in the body of a ticket: `{"priority": 2}`.',
  }),
  templateId: Ref('ContentTemplate'),
  signature: LongText(20_000),
  deleteAfterFetch: Type.Boolean(),
  moveTo: Text(200),
  archiveImport: Part({ since: LocalDate }),
  active: Type.Boolean(),
}

export type Mailbox = Stored<typeof shape>
export type MailboxValues = Values<typeof shape>

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
    'An address at which people write to a desk. What comes in is read by IMAP and becomes tickets and messages; answers leave through its SMTP server, or through that of the installation. Passwords are written and never shown; `***` sent back keeps them.',
  shape,
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
    const wrong = serverFault(protocol, said, ctx.outbound)
    if (wrong) faults.push(fault([protocol, 'host'], 'host', wrong, said.host))
  }
  for (const property of ['name', 'moveTo'] as const)
    if (breaksLine(mailbox[property])) faults.push(fault([property], 'line', 'must be one line', mailbox[property]))
  if (faults.length > 0) throw new Invalid(faults)
  const [desk] = mailbox.containerId
    ? await ctx.sql<{
        kind: number
      }>`select kind from container where tenant_id = ${ctx.caller.tenantId} and id = ${mailbox.containerId}`
    : []
  if (desk && desk.kind !== 1 && mailbox.containerId !== before?.containerId)
    throw new RuleBroken('not-a-desk', 'mail becomes tickets, and tickets live on service desks', [
      fault(['containerId'], 'not-a-desk', 'is not a service desk (kind 1)', mailbox.containerId),
    ])
}

const secretNames = ['password', 'smtpPassword'] as const

export async function createMailbox(ctx: Context, values: Partial<MailboxValues>): Promise<Mailbox> {
  for (const each of secretNames)
    if (values[each] === mask) throw noSecret(each, 'no-value', 'no value is kept for this yet')
  const shown = Object.fromEntries(secretNames.map(each => [each, values[each] ? mask : '']))
  const mailbox = await mailboxes.create(ctx, { ...values, ...shown })
  for (const each of secretNames) if (values[each]) await keepSecret(ctx, ctx.secrets, mailbox.id, each, values[each])
  return mailbox
}

export async function changeMailbox(
  ctx: Context,
  id: Id,
  values: Partial<MailboxValues>,
  more: { expect?: Expect },
): Promise<Mailbox> {
  const before = await mailboxes.get(ctx, id, { lock: true })
  const wish: Partial<MailboxValues> = { ...values }
  const fresh: (typeof secretNames)[number][] = []
  for (const each of secretNames) {
    const given = values[each]
    if (given === mask && before[each] === '') throw noSecret(each, 'no-value', 'no value is kept for this yet')
    const isFresh = given !== undefined && given !== null && given !== '' && given !== mask
    if (isFresh) fresh.push(each)
    const cleared = given === null || given === ''
    // Else whoever may change the record but not read its secret could have it sent to a host of their own.
    const places = each === 'password' ? (['imap', 'smtp'] as const) : (['smtp'] as const)
    const elsewhere = places.find(place => values[place] !== undefined && movesAway(before[place], values[place]))
    if (before[each] !== '' && !isFresh && !cleared && elsewhere)
      throw noSecret(each, 'other-host', `the host of ${elsewhere} is another: give the password anew, or clear it`)
    wish[each] = isFresh ? mask : cleared ? '' : before[each]
  }
  const changes = Object.fromEntries(
    fresh.filter(each => before[each] !== '').map(each => [each, { from: mask, to: mask }]),
  )
  const own = Object.keys(changes).length > 0 ? { own: { columns: {}, changes } } : {}
  const after = await mailboxes.update(ctx, id, wish, { ...more, ...own })
  for (const each of fresh) await keepSecret(ctx, ctx.secrets, before.id, each, String(values[each]))
  await dropSecrets(
    ctx,
    before.id,
    secretNames.filter(each => after[each] !== ''),
  )
  // Whatever was wrong may be right now: it is tried at once.
  await ctx.sql`update mailbox_state set next_try = null, failures = 0 where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${before.id}`
  return after
}

type Place = MailboxValues['imap'] | MailboxValues['smtp'] | null

function movesAway(before: Place, after: Place | undefined): boolean {
  const [was, is] = [before?.host ?? '', after?.host ?? ''].map(host => host.toLowerCase())
  return is !== '' && is !== was
}

function noSecret(property: string, code: string, message: string): Invalid {
  return new Invalid([fault([property], code, message)])
}

/** Where its mail is read, with the password: for the moment of use only. */
export async function imapOf(ctx: Context, mailbox: Mailbox): Promise<MailServer | undefined> {
  const { host = '', user = '', security = 0 } = mailbox.imap
  if (host === '') return undefined
  const password = (await readSecret(ctx, ctx.secrets, mailbox.id, 'password')) ?? ''
  return { host, port: portOf('imap', mailbox.imap), security, user: user || mailbox.address, password }
}

/** Through which server its mail leaves: its own; nothing, if it has none. */
export async function smtpOf(ctx: Context, mailbox: Mailbox): Promise<MailServer | undefined> {
  const { host = '', user = '', security = 0 } = mailbox.smtp
  if (host === '') return undefined
  const own = await readSecret(ctx, ctx.secrets, mailbox.id, 'smtpPassword')
  const password = own ?? (await readSecret(ctx, ctx.secrets, mailbox.id, 'password')) ?? ''
  return { host, port: portOf('smtp', mailbox.smtp), security, user, password }
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
