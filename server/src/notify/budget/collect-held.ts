import { visibleItems } from '../../items/item/item.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import type { TextAttachment } from '../../mail/outbound-mail/outbound-mail.ts'
import { attemptEach } from '../../records/input/attempt-each.ts'
import { type CountedMessage, countMessages } from '../noise/count-messages.ts'
import { notifications } from '../notification/notification.ts'
import { refusedBy } from '../notification/recipients.ts'
import { ownerOf } from '../notification/run.ts'
import { auditAttachments, messageTo } from '../notification/send-task.ts'
import type { NotifiedUser } from '../preference/preference.ts'

/** A held message as the digest shows it. */
interface CollectedMessage {
  subject: string
  text: string
}

export interface CollectedMessages {
  messages: CollectedMessage[]
  attachments: TextAttachment[]
  /** How many messages are not listed, because there are too many. */
  more: number
}

/** A digest lists at most this many messages, and of their texts and files at most so many characters. */
const maxListed = 1000
const maxText = 200_000
const maxAttached = 10_000_000

interface HeldRow {
  sourceKind: 'rule' | 'notification'
  sourceId: Id
  itemIds: Id[]
  seen: boolean
  asCreator: boolean
  subject: string
  body: string
}

/**
 * Takes the messages that are held for a user, for a digest that the same transaction queues; so each is sent once. What the
 * user may no longer see is left out.
 */
export async function collectHeld(ctx: Context, caller: Caller, reader: NotifiedUser): Promise<CollectedMessages> {
  const { rows, more } = await takeHeld(ctx, reader.userId)
  const visible = await visibleAmong(
    ctx,
    caller,
    rows.filter(row => row.sourceKind === 'rule').flatMap(row => row.itemIds),
  )
  const found: CollectedMessages = { messages: [], attachments: [], more }
  const digested: CountedMessage[] = []
  let [texts, files] = [0, 0]
  for (const { row, written } of await writtenFor(ctx, caller, reader, rows)) {
    if (!written || (row.seen && !row.itemIds.every(id => visible.has(id)))) continue
    texts += written.text.length
    found.messages.push({ subject: written.subject, text: texts > maxText ? '' : written.text })
    digested.push({ userId: reader.userId, source: { kind: row.sourceKind, id: row.sourceId } })
    const attachments = written.attachments.filter(({ text }) => {
      files += text.length
      return files <= maxAttached
    })
    found.attachments.push(...attachments)
    await auditAttachments(ctx, row.sourceId, { ...written, attachments })
  }
  await countMessages(ctx, 'digested', digested)
  return found
}

/** Deletes and returns the held messages of a user. A second process that does the same waits here, and finds none. */
async function takeHeld(ctx: Context, userId: Id): Promise<{ rows: HeldRow[]; more: number }> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<HeldRow & { id: Id }>`delete from held_message where tenant_id = ${tenantId} and id in (
      select id from held_message where tenant_id = ${tenantId} and user_id = ${userId} order by id limit ${maxListed})
    returning id, source_kind as "sourceKind", source_id as "sourceId", item_ids as "itemIds", seen, as_creator as "asCreator", subject, body`
  const others =
    rows.length < maxListed
      ? []
      : await ctx.sql`delete from held_message where tenant_id = ${tenantId} and user_id = ${userId} returning true`
  return { rows: rows.sort((a, b) => (a.id < b.id ? -1 : 1)), more: others.length }
}

/** Forgets the messages that are held for somebody who gets no mail any more. */
export async function forgetHeld(ctx: Context, userId: Id): Promise<void> {
  await ctx.sql`delete from held_message where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId}`
}

interface WrittenMessage {
  subject: string
  text: string
  count: number
  attachments: readonly TextAttachment[]
}

/** The messages with their texts; without one if there is nothing for the reader any more. */
async function writtenFor(
  ctx: Context,
  caller: Caller,
  reader: NotifiedUser,
  rows: readonly HeldRow[],
): Promise<{ row: HeldRow; written: WrittenMessage | undefined }[]> {
  const attempts = await attemptEach(ctx, rows, row => writtenOf(ctx, caller, reader, row))
  return rows.map((row, i) => {
    const attempt = attempts[i]
    return { row, written: attempt && !attempt.refusal ? attempt.value : undefined }
  })
}

async function writtenOf(
  ctx: Context,
  caller: Caller,
  reader: NotifiedUser,
  { sourceKind, sourceId, itemIds, asCreator, subject, body }: HeldRow,
): Promise<WrittenMessage | undefined> {
  if (sourceKind === 'rule') return { subject, text: body, count: 1, attachments: [] }
  const notification = await notifications.find(ctx, sourceId)
  if (!notification || (await refusedBy(ctx, sourceId)).has(reader.email.toLowerCase())) return undefined
  const as = asCreator ? await ownerOf(ctx, notification) : caller
  return as && (await messageTo(ctx.derive({ caller: as }), notification, itemIds))
}

async function visibleAmong(ctx: Context, caller: Caller, itemIds: readonly Id[]): Promise<Set<Id>> {
  const i = raw('i')
  const rows = await ctx.sql<{ id: Id }>`select i.id from item i where i.tenant_id = ${ctx.caller.tenantId}
    and i.id = any(${[...new Set(itemIds)]}::uuid[]) and not i.deleted and ${visibleItems(caller, i)}`
  return new Set(rows.map(row => row.id))
}
