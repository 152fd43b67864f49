import { Postponed, type Task } from '../../engine/dispatch/dispatch.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { mailPurpose } from '../../mail/outbound-mail/outbound-mail.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import type { Unsubscription } from '../../mail/unsubscribe.ts'
import { type CollectedMessages, collectHeld, forgetHeld } from '../budget/collect-held.ts'
import { noteHeld } from '../budget/hold-message.ts'
import { takeMail } from '../budget/mail-limit.ts'
import { countMail, countMessages, type MessageSource } from '../noise/count-messages.ts'
import { digestInterval, type NotifiedUser, notifiedUsers, updatePreference } from '../preference/preference.ts'
import { earliestMailTime } from '../preference/quiet-hours.ts'
import { claimEntries, type DueEntry, mailableEntries, which } from './digest-entries.ts'
import { digestMail } from './digest-mail.ts'
import { digestsDue, digestTaskName } from './schedule-digest.ts'

/** A mail lists at most this many entries, a digest of what was held more; the others are shown in the application only. */
const maxMailedEntries = { usual: 50, held: 500 }

/** What digests count for. */
const source: MessageSource = { kind: 'digest', id: '' }

/**
 * Mails a user the entries that they have not read, each once, and outside of their quiet hours. If the mails of the day are used
 * up, the entries wait for the next morning, and are sent together with the other messages that were held.
 */
export const digestTask: Task = {
  name: digestTaskName,
  retryDelays: [60, 600, 3600, 6 * 3600].map(seconds => seconds * 1000),
  async run({ payload, caller, service, transaction }) {
    const userId = String(payload.userId)
    const reader = await caller(userId)
    const wait = await transaction(service, async ctx => {
      const person = (await notifiedUsers(ctx, [userId])).get(userId)
      if (!reader || !person?.wantsMail || person.digest === digestInterval.none) await forgetEntries(ctx, userId)
      if (!reader || !person?.email) return await forgetAll(ctx, userId)
      const left = await untilDigest(ctx, userId)
      if (left === undefined) return 0
      const early = Math.max(left, (await earliestMailTime(ctx, person)).getTime() - ctx.now.getTime())
      if (early > 0) return early
      await mailWhatIsDue(ctx, reader, person)
      return (await untilDigest(ctx, userId)) ?? 0
    })
    if (wait > 0)
      throw new Postponed(wait, 'the digest is not due yet, or the working hours of the user have not begun')
  },
}

/** The time until the next digest of the user; undefined if nothing waits; ms. */
async function untilDigest(ctx: Context, userId: Id): Promise<number | undefined> {
  const [next] = await digestsDue(ctx, [userId])
  return next && next.due.getTime() - ctx.now.getTime()
}

async function forgetEntries(ctx: Context, userId: Id): Promise<void> {
  await ctx.sql`update inbox_entry set mail_due = null, mail_urgent = false where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} and mail_due is not null`
}

/** Forgets what waits for somebody who has left, or has no address. */
async function forgetAll(ctx: Context, userId: Id): Promise<number> {
  await forgetHeld(ctx, userId)
  await endHolding(ctx, userId)
  return 0
}

/** Notes that the digest of what was held is sent; tells whether one was due. */
async function endHolding(ctx: Context, userId: Id, before?: Date): Promise<boolean> {
  const rows = await ctx.sql`update mail_day set digest_due = null
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} and digest_due is not null and (${before ?? null}::timestamptz is null or digest_due <= ${before ?? null}) returning true`
  return rows.length > 0
}

/** Mails the digest of what was held, if it is due, and else the entries as far as the budget of the day allows. */
async function mailWhatIsDue(ctx: Context, caller: Caller, reader: NotifiedUser): Promise<void> {
  const { userId } = reader
  const claim = (some: Sql, max: number = maxMailedEntries.usual) => claimEntries(ctx, caller, userId, some, max)
  if (await endHolding(ctx, userId, ctx.now)) return await mailHeld(ctx, caller, reader)
  const isAnyLeft = (await mailableEntries(ctx, caller, userId, which.all, 1)).length > 0
  if (!isAnyLeft || (await takeMail(ctx, reader))) return void (await send(ctx, reader, await claim(which.all)))
  if (await send(ctx, reader, await claim(which.urgent))) await takeMail(ctx, reader, true)
  await holdEntries(ctx, caller, reader)
}

/** Mails everything that waits for the user, as one digest. */
async function mailHeld(ctx: Context, caller: Caller, reader: NotifiedUser): Promise<void> {
  const { userId } = reader
  const held = await collectHeld(ctx, caller, reader)
  const entries = await claimEntries(ctx, caller, userId, which.all, maxMailedEntries.held)
  await countMessages(
    ctx,
    'digested',
    entries.map(() => ({ userId, source })),
  )
  // It is sent whatever the budget of this day, which the first mails of a morning could use up every day.
  if (await send(ctx, reader, entries, held)) await takeMail(ctx, reader, true)
}

/** Puts the mail about the due entries off until the next morning. */
async function holdEntries(ctx: Context, caller: Caller, reader: NotifiedUser): Promise<void> {
  const { tenantId } = ctx.caller
  const { userId } = reader
  const isDue = sql`e.mail_due <= ${ctx.now}`
  const held = await mailableEntries(ctx, caller, userId, isDue, maxMailedEntries.held)
  if (held.length === 0) return void (await claimEntries(ctx, caller, userId, isDue, 0))
  await countMessages(
    ctx,
    'held',
    held.map(() => ({ userId, source })),
  )
  const due = await noteHeld(ctx, reader, held.length)
  await ctx.sql`update inbox_entry e set mail_due = ${due} where e.tenant_id = ${tenantId} and e.user_id = ${userId} and ${isDue}`
}

/** Queues a digest if there is anything to say. The transaction also marks what it contains, so each is mailed exactly once. */
async function send(
  ctx: Context,
  reader: NotifiedUser,
  entries: readonly DueEntry[],
  held?: CollectedMessages,
): Promise<boolean> {
  if (entries.length === 0 && !held?.messages.length) return false
  const mail = await queueMail(ctx, {
    to: [reader.email],
    ...digestMail(ctx, reader, entries, held),
    auto: true,
    purpose: mailPurpose.notification,
    list: { id: `inbox.${ctx.caller.tenantId}`, topic: digestTopic, key: reader.userId },
    attachments: held?.attachments ?? [],
  })
  await countMail(ctx, mail, source)
  return true
}

export const digestTopic = 'inbox'

export async function unsubscribeFromDigests(ctx: Context, { key: userId }: Unsubscription): Promise<void> {
  await updatePreference(ctx, userId, { digest: digestInterval.none })
}

/** Turns off mail about these events in the item's container. The inbox still shows them. */
export async function unsubscribeFromEvents(ctx: Context, { key }: Unsubscription): Promise<void> {
  const [userId = '', events = '', containerId = ''] = key.split(' ')
  const reader = (await notifiedUsers(ctx, [userId])).get(userId)
  if (!reader) return
  const off = events.split(',').map(event => {
    const known = reader.events.find(each => each.event === event && each.containerId === containerId)
    return { event, containerId, inbox: known?.inbox ?? true, mail: false }
  })
  const rest = reader.events.filter(
    each => !off.some(o => o.event === each.event && o.containerId === each.containerId),
  )
  await updatePreference(ctx, userId, { events: [...rest, ...off] })
}
