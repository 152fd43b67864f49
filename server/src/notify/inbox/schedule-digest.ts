import { enqueue } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'

/** The task that mails a user their unread entries, and the messages that are held for them. */
export const digestTaskName = 'inbox-digest'

/** Schedules one digest per user, at the time when the first entry or held message is due. */
export async function scheduleDigests(ctx: Context, userIds: readonly Id[]): Promise<void> {
  const [first, ...more] = (await digestsDue(ctx, userIds)).map(({ userId, due }) => ({
    task: digestTaskName,
    key: userId,
    payload: { userId },
    runAt: due,
  }))
  if (first) await enqueue(ctx, first, ...more)
}

/** Returns when the next digest of each user is due, without those for whom nothing waits. */
export async function digestsDue(ctx: Context, userIds: readonly Id[]): Promise<{ userId: Id; due: Date }[]> {
  if (userIds.length === 0) return []
  const people = [...new Set(userIds)]
  return await ctx.sql<{ userId: Id; due: Date }>`select w.user_id as "userId", min(w.due) as due from (
      select e.user_id, e.mail_due as due from inbox_entry e where e.tenant_id = ${ctx.caller.tenantId} and e.user_id = any(${people}::uuid[]) and e.mail_due is not null
      union all
      select d.user_id, d.digest_due from mail_day d where d.tenant_id = ${ownTenant} and d.user_id = any(${people}::uuid[]) and d.digest_due is not null) w
    group by w.user_id`
}
