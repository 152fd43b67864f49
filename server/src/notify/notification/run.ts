import { enqueue } from '../../engine/dispatch/dispatch.ts'
import { userAccessOf } from '../../identity/authority.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import type { Notification } from './notification.ts'
import { recordResult, runQuery } from './query-run.ts'
import { recipientsOf } from './recipients.ts'

/** How a run ended: 0 told · 1 nothing to tell · 2 nobody to tell · 3 failed. */
const runOutcome = { told: 0, nothing: 1, nobody: 2, failed: 3 } as const

/** The task that tells some recipients of a run. */
export const notificationSendTaskName = 'notification-send'
/** Told in one job. */
const atOnce = 25

/**
 * Asks the question for one planned moment, and owes the answer to those who get it: all of it or nothing, and once,
 * whoever tries it how often. Undefined where it was done before.
 */
export async function runOnce(
  ctx: Context,
  notification: Notification,
  planned: Date,
  askedBy: Id | null = null,
): Promise<Id | undefined> {
  const { tenantId } = ctx.caller
  const id = newId()
  const fresh = await ctx.sql`insert into notification_run (tenant_id, id, notification_id, planned, at, asked_by)
    values (${tenantId}, ${id}, ${notification.id}, ${planned}, ${ctx.now}, ${askedBy}) on conflict (tenant_id, notification_id, planned) do nothing returning true`
  if (fresh.length === 0) return undefined
  const owner = await ownerOf(ctx, notification)
  if (!owner) return await failed(ctx, notification.id, id, 'who made it may no longer come in')
  const answer = await runQuery(ctx.derive({ caller: owner }), notification)
  const recipients = answer.ids.length === 0 ? [] : await recipientsOf(ctx, notification)
  // What nobody is told counts as untold: whoever becomes a recipient later hears of it.
  await recordResult(ctx, notification, recipients.length === 0 ? { ...answer, ids: [] } : answer)
  const ended =
    answer.ids.length === 0 ? runOutcome.nothing : recipients.length === 0 ? runOutcome.nobody : runOutcome.told
  await ctx.sql`update notification_run set count = ${answer.ids.length}, more = ${answer.more}, outcome = ${ended}, item_ids = ${answer.ids}::uuid[]
    where tenant_id = ${tenantId} and id = ${id}`
  const lots = Array.from({ length: Math.ceil(recipients.length / atOnce) }, (_, i) =>
    recipients.slice(i * atOnce, (i + 1) * atOnce),
  )
  const [first, ...more] = lots.map(lot => ({
    task: notificationSendTaskName,
    payload: { runId: id, recipients: lot },
  }))
  if (first) await enqueue(ctx, first, ...more)
  return id
}

async function failed(ctx: Context, notificationId: Id, id: Id, error: string): Promise<Id> {
  const { tenantId } = ctx.caller
  await ctx.sql`update notification_run set outcome = ${runOutcome.failed}, error = ${error} where tenant_id = ${tenantId} and id = ${id}`
  await ctx.sql`update notification_state set last_run = ${ctx.now}, last_error = ${error} where tenant_id = ${tenantId} and notification_id = ${notificationId}`
  return id
}

/** In whose name it is asked: of who made it, with what they may see at this moment. */
export async function ownerOf(ctx: Context, { createdBy }: Notification): Promise<Caller | undefined> {
  return await callerOf(ctx, createdBy)
}

export async function callerOf(ctx: Context, userId: Id): Promise<Caller | undefined> {
  const standing = await userAccessOf(ctx, userId)
  if (!standing) return undefined
  const { name, timezone, authority } = standing
  return { tenantId: ctx.caller.tenantId, userId, name, timezone, kind: 'rule', scopes: [], authority }
}
