import { enqueue } from '../../engine/dispatch/dispatch.ts'
import { userAccessOf } from '../../identity/authority.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { codeTableOfCodes } from '../../records/code-table.ts'
import type { Notification } from './notification.ts'
import { recordResult, runQuery } from './query-run.ts'
import { recipientsOf } from './recipients.ts'

/** How a run ended. */
const runOutcome = { sent: 0, nothingToReport: 1, noRecipients: 2, failed: 3 } as const
export const runOutcomes = codeTableOfCodes('notification.outcome', runOutcome)

const noItems = { ids: [], matches: [], more: false }

/** The task that sends the result of a run to some of its recipients. */
export const notificationSendTaskName = 'notification-send'
/** The number of recipients per job. */
const recipientsPerJob = 25

/**
 * Runs the query for one planned time and enqueues the messages in the same transaction. Each planned time runs only once;
 * a second attempt returns undefined.
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
  if (!owner) return await failed(ctx, notification.id, id, 'the creator of the notification no longer has access')
  const byOwner = ctx.derive({ caller: owner })
  const isReport = notification.savedReportId !== ''
  if (isReport && !(await kind('SavedReport').find(byOwner, notification.savedReportId)))
    return await failed(ctx, notification.id, id, 'the creator of the notification does not see the saved report')
  // A saved report is computed for each recipient, so the run itself finds nothing.
  const answer = isReport ? noItems : await runQuery(byOwner, notification)
  const reports = isReport || answer.ids.length > 0
  const recipients = reports ? await recipientsOf(ctx, notification) : []
  // Without recipients the matches count as not reported, so that a later recipient gets them.
  await recordResult(ctx, notification, recipients.length === 0 ? { ...answer, ids: [] } : answer)
  const ended = !reports
    ? runOutcome.nothingToReport
    : recipients.length === 0
      ? runOutcome.noRecipients
      : runOutcome.sent
  await ctx.sql`update notification_run set count = ${answer.ids.length}, more = ${answer.more}, outcome = ${ended}, item_ids = ${answer.ids}::uuid[]
    where tenant_id = ${tenantId} and id = ${id}`
  const batches = Array.from({ length: Math.ceil(recipients.length / recipientsPerJob) }, (_, i) =>
    recipients.slice(i * recipientsPerJob, (i + 1) * recipientsPerJob),
  )
  const [first, ...more] = batches.map(batch => ({
    task: notificationSendTaskName,
    payload: { runId: id, recipients: batch },
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

/** Returns the creator of the notification as a caller, with their current permissions within its scopes. */
export async function ownerOf(ctx: Context, { createdBy, scopes }: Notification): Promise<Caller | undefined> {
  return await callerOf(ctx, createdBy, scopes)
}

export async function callerOf(ctx: Context, userId: Id, scopes: readonly string[] = []): Promise<Caller | undefined> {
  const standing = await userAccessOf(ctx, userId)
  if (!standing) return undefined
  const { name, timezone, authority } = standing
  return { tenantId: ctx.caller.tenantId, userId, name, timezone, kind: 'rule', scopes, authority }
}
