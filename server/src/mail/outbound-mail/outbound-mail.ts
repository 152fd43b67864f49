import { Type } from 'typebox'
import { seesEverything } from '../../identity/visibility.ts'
import { visibleItems } from '../../items/item/item.ts'
import { admins, type Caller, members, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { Stored } from '../../kernel/record/record.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Email, Instant, Ref, Text, Texts } from '../../kernel/schema/values.ts'
import { join, name, or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { isThere } from '../../records/references/is-there.ts'
import { keysOf } from '../../records/references/keys-of.ts'

export const mailState = { queued: 0, sent: 1, deferred: 2, bounced: 3, suppressed: 4, cancelled: 5 } as const

/** The purpose of a mail, which decides where its text comes from. */
export const mailPurpose = {
  plain: 0,
  reply: 1,
  forward: 2,
  autoReply: 3,
  notification: 4,
  test: 5,
  satisfaction: 6,
} as const

const shape = {
  to: Type.Array(Email, { maxItems: 100 }),
  cc: Type.Array(Email, { maxItems: 100 }),
  from: Text(254),
  subject: Text(500),
  templateId: Ref('ContentTemplate'),
  itemId: Ref('Item'),
  annotationId: Ref('Annotation'),
  mailboxId: Ref('Mailbox'),
  purpose: Code(codeTableOfCodes('outboundMail.purpose', mailPurpose), {
    description:
      '0 plain mail · 1 reply · 2 forwarded message · 3 automatic reply · 4 notification · 5 test · 6 question about satisfaction.',
  }),
  auto: Type.Boolean({ description: 'Whether the mail was sent automatically, and not written by a user.' }),
  state: Code(codeTableOfCodes('outboundMail.state', mailState), {
    description: '0 queued · 1 sent · 2 deferred · 3 bounced · 4 suppressed · 5 cancelled.',
  }),
  attempts: Count(),
  nextAttempt: Instant,
  lastError: Text(1000),
  messageId: Text(998),
  changeSetId: Text(36),
  sentAt: Instant,
  undelivered: Texts(200, 254),
}

export type OutboundMail = Stored<typeof shape>

/** A mail that is to be sent, was sent or failed. */
export const outboundMails = resource('OutboundMail', {
  about:
    'An outgoing mail with its recipients, subject, state and last error. It is stored in the transaction that causes it, and sent after the commit.',
  shape,
  required: [],
  serverSet: keysOf(shape),
  may: { read: staff, create: admins, update: members, delete: admins },
  visible: visibleMails,
  order: 'created',
})

/** A mail is visible to its creator, to everybody who may see its item, and to unrestricted users. */
function visibleMails(caller: Caller, t: Sql): Sql {
  if (seesEverything(caller.authority)) return raw('true')
  const i = raw('about')
  const item = isThere(sql`from item ${i} where ${i}.tenant_id = ${caller.tenantId} and ${i}.id = ${t}.item_id
    and not ${i}.deleted and ${visibleItems(caller, i)}`)
  return or([sql`${t}.created_by = ${caller.userId}`, item])
}

/** A text that is attached as a file; bytes are a text in Base64. */
export interface TextAttachment {
  name: string
  type: string
  text: string
  encoding?: 'base64'
}

/** The stored content of a mail that has no annotation, and its headers. The API never returns it. */
export interface MailContent {
  bodyText: string
  bodyHtml: string
  inReplyTo: string
  list: { id?: string; topic?: string; key?: string }
  attachments: TextAttachment[]
}

export async function mailContent(ctx: Context, id: Id): Promise<MailContent> {
  const [row] =
    await ctx.sql<MailContent>`select body_text as "bodyText", body_html as "bodyHtml", in_reply_to as "inReplyTo", list, attachments
    from outbound_mail where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
  return row ?? { bodyText: '', bodyHtml: '', inReplyTo: '', list: {}, attachments: [] }
}

type Progress = Partial<
  Pick<OutboundMail, 'state' | 'attempts' | 'nextAttempt' | 'lastError' | 'sentAt' | 'undelivered' | 'from'>
>

/** Updates a mail that is in one of the states `among`, and appends an event of kind `eventKind` if given. */
export async function updateProgress(
  ctx: Context,
  id: Id,
  { values, eventKind, among }: { values: Progress; eventKind?: string; among: readonly number[] },
): Promise<OutboundMail | undefined> {
  const t = raw('t')
  const sets = Object.entries(values).map(([property, value]) => {
    const column = outboundMails.byProperty.get(property)
    if (!column) throw new Error(`no column for ${property}`)
    return sql`${name(column.column)} = ${value}::${raw(column.type)}`
  })
  const [row] = await ctx.sql<{ json: string }>`with made as (
      update outbound_mail set ${join([...sets, sql`updated = ${ctx.now}`, sql`version = version + 1`])}
      where tenant_id = ${ctx.caller.tenantId} and id = ${id} and state = any(${[...among]}::int[]) returning *)
    select ${outboundMails.json(t)} as json from made t`
  if (!row) return undefined
  const mail: OutboundMail = JSON.parse(row.json)
  if (eventKind)
    await appendEvents(ctx, [
      {
        kind: eventKind,
        entity: outboundMails.entity,
        recordId: id,
        changes: {
          state: { to: mail.state },
          ...(mail.itemId ? { itemId: { to: mail.itemId } } : {}),
          ...(mail.lastError ? { lastError: { to: mail.lastError } } : {}),
        },
      },
    ])
  return mail
}
