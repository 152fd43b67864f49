import { visibilityFor } from '../../desk/watch/watch.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { mailPurpose } from '../../mail/outbound-mail/outbound-mail.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { scheduleDigests } from '../inbox/schedule-digest.ts'
import { countMail, countMessages, type MessageSource } from '../noise/count-messages.ts'
import type { NotifiedUser } from '../preference/preference.ts'
import { countHeld, digestTime, mailLimitOf } from './mail-limit.ts'

/** A mail of a rule or a notification that can wait for a digest. */
export interface HoldableMessage {
  source: MessageSource & { kind: 'rule' | 'notification'; id: Id }
  /** The items that it is about. */
  itemIds: readonly Id[]
  /** What a rule has written. A notification is written when the digest is sent, with what its reader may see then. */
  subject?: string
  body?: string
  /** The notification is written as its creator gets it. */
  asCreator?: boolean
}

/** The longest text of a rule that a digest repeats. */
const maxBody = 20_000

/** Stores a message for the next digest of its reader. The transaction that holds it also schedules the digest, so it is not lost. */
export async function holdMessage(ctx: Context, reader: NotifiedUser, message: HoldableMessage): Promise<void> {
  const { tenantId } = ctx.caller
  const { userId } = reader
  const { source, itemIds, subject = '', body = '', asCreator = false } = message
  const [itemId] = itemIds
  const seen =
    source.kind === 'rule' &&
    itemId !== undefined &&
    (await visibilityFor(ctx, 'Item', [[userId, itemId]]))(userId, itemId)
  await ctx.sql`insert into held_message (tenant_id, id, user_id, at, source_kind, source_id, item_ids, seen, as_creator, subject, body)
    values (${tenantId}, ${newId()}, ${userId}, ${ctx.now}, ${source.kind}, ${source.id}, ${itemIds}::uuid[], ${seen}, ${asCreator}, ${subject.slice(0, 500)}, ${body.slice(0, maxBody)})`
  await countMessages(ctx, 'held', [{ userId, source }])
  await noteHeld(ctx, reader, 1)
  await scheduleDigests(ctx, [userId])
}

/** Counts messages that are held for the user, tells them of the first of the day, and returns when the digest is due. */
export async function noteHeld(ctx: Context, reader: NotifiedUser, count: number): Promise<Date> {
  const { due, isFirst } = await countHeld(ctx, reader, count)
  if (isFirst) await tell(ctx, reader)
  return due
}

/** Tells a user once a day that the rest comes as a digest. This mail is not one of the budget. */
async function tell(ctx: Context, { email, mailsPerDay }: NotifiedUser): Promise<void> {
  const limit = await mailLimitOf(ctx, mailsPerDay)
  const { baseUrl } = ctx.services
  const queued = await queueMail(ctx, {
    to: [email],
    subject: `You have reached your limit of mails for today: ${limit}`,
    text: [
      `You got as many notification mails today as your limit allows (${limit}). The rest of today comes as one digest tomorrow at ${digestTime}, or when your working hours begin.`,
      `Your notifications have it at once: ${baseUrl}/inbox`,
      'Warnings, targets that are missed or nearly so, replies, and mails about your password still come at once.',
      limitHint(baseUrl),
    ].join('\n\n'),
    auto: true,
    purpose: mailPurpose.notification,
  })
  await countMail(ctx, queued, { kind: 'digest', id: '' })
}

/** Where users change the limit. */
export const limitHint = (baseUrl: string): string =>
  `You can change the limit in your profile: ${baseUrl}/profile (“mailsPerDay” of PUT ${baseUrl}/api/notification/preference).`
