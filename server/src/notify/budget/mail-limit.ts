import { Temporal } from 'temporal-polyfill'
import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { maxMailsPerDay, type NotifiedUser } from '../preference/preference.ts'

// Each user gets a limited number of notification mails on a day of their time zone. What is beyond waits for one digest in
// the next morning. The number is kept in one row for each user and day, which is locked when a mail is taken from it, so
// that several processes together do not exceed the limit.

const mailsPerDay = setting('notify.mailsPerDay', {
  schema: Type.Integer({ minimum: 0, maximum: maxMailsPerDay }),
  default: 30,
  scopes: ['tenant'],
  description:
    'The most notification mails that a user gets on a day of their time zone; further ones are sent as one digest in the next morning. 0: no limit. Users choose another number in their notification preference.',
})

/** The most notification mails that the user gets on a day; 0 is no limit. */
export async function mailLimitOf(ctx: Context, own: number | null): Promise<number> {
  return own ?? (await settingOf(ctx, mailsPerDay))
}

type Reader = Pick<NotifiedUser, 'userId' | 'timezone' | 'mailsPerDay'>

/**
 * Counts a mail to the user as one of their day and tells whether it may be sent. A mail that must not wait counts, too, and
 * is always sent.
 */
export async function takeMail(ctx: Context, reader: Reader, mustNotWait = false): Promise<boolean> {
  const limit = await mailLimitOf(ctx, reader.mailsPerDay)
  if (limit === 0) return true
  const rows = await ctx.sql`insert into mail_day as d (tenant_id, user_id, day, sent)
    values (${ctx.caller.tenantId}, ${reader.userId}, ${dayAt(ctx.now, reader.timezone).toString()}::date, 1)
    on conflict (tenant_id, user_id, day) do update set sent = d.sent + 1 where ${mustNotWait} or d.sent < ${limit} returning true`
  return rows.length > 0
}

/** Counts held messages of the user’s day, and returns when their digest is due and whether they are the first of the day. */
export async function countHeld(ctx: Context, reader: Reader, count: number): Promise<{ due: Date; isFirst: boolean }> {
  const day = dayAt(ctx.now, reader.timezone)
  const due = new Date(
    day.add({ days: 1 }).toZonedDateTime({ timeZone: reader.timezone, plainTime: digestTime }).epochMilliseconds,
  )
  const [row] = await ctx.sql<{
    held: number
  }>`insert into mail_day as d (tenant_id, user_id, day, held, digest_due)
    values (${ctx.caller.tenantId}, ${reader.userId}, ${day.toString()}::date, ${count}, ${due})
    on conflict (tenant_id, user_id, day) do update set held = d.held + excluded.held, digest_due = excluded.digest_due returning held`
  return { due, isFirst: row?.held === count }
}

/** When the digest of a day is sent in the next morning, in the time zone of its reader. */
export const digestTime = '08:00'

const dayAt = (moment: Date, timezone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timezone).toPlainDate()

/** The state of a user’s budget today. */
export interface MailBudget {
  limit: number
  sent: number
  held: number
  /** When the digest of what is held is due; null if nothing waits. */
  digestAt: Date | null
}

/** The budget of the user today; undefined without a limit. */
export async function mailBudgetOf(ctx: Context, reader: Reader): Promise<MailBudget | undefined> {
  const limit = await mailLimitOf(ctx, reader.mailsPerDay)
  if (limit === 0) return undefined
  const [row] = await ctx.sql<Pick<MailBudget, 'sent' | 'held'>>`select sent, held from mail_day
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${reader.userId} and day = ${dayAt(ctx.now, reader.timezone).toString()}::date`
  return { limit, sent: row?.sent ?? 0, held: row?.held ?? 0, digestAt: await heldDigestDue(ctx, reader.userId) }
}

/** When the digest of what is held for the user is due; null if nothing waits. */
async function heldDigestDue(ctx: Context, userId: Id): Promise<Date | null> {
  const [row] = await ctx.sql<{ due: Date | null }>`select min(digest_due) as due from mail_day
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} and digest_due is not null`
  return row?.due ?? null
}
