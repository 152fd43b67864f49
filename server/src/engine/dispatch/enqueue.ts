import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/id.ts'
import { zeroId } from '../live/log-position.ts'

/** Work for a tenant that is done after the transaction that enqueued it has committed. */
export interface NewJob {
  /** The name of the task that runs it. */
  readonly task: string
  /** Ids and small values only: content is read when the job runs, and is never stored here. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Jobs of one lane run one after another, in the order of the log; a failing job delays those behind it. */
  readonly lane?: string
  /**
   * Jobs that share a fate, such as the calls to one address. The groups of a tenant are served in turn. All jobs of a task
   * if omitted.
   */
  readonly group?: string
}

/**
 * Enqueues a job if and only if the transaction commits. With `runAt` the job waits until then. With `key` there is at
 * most one job of this task and key, and the newest input replaces earlier ones.
 */
export async function enqueue(
  ctx: Context,
  job: NewJob & { runAt?: Date; key?: string },
  ...more: readonly (NewJob & { runAt?: Date; key?: string })[]
): Promise<void> {
  const rows = [job, ...more].map(({ task, payload, lane, group, runAt, key }) => {
    const id = newId()
    return {
      task,
      payload,
      job_group: group ?? task,
      run_at: runAt ?? null,
      keyed: key !== undefined,
      id: key === undefined ? id : zeroId,
      lane: key === undefined ? (lane ?? `${task} ${id}`) : keyLane(task, key),
    }
  })
  await ctx.sql`insert into queued_job (tenant_id, lane, xact, id, task, payload, job_group, run_at)
    select ${ctx.caller.tenantId}::uuid, r.lane, case when r.keyed then '0'::xid8 else log_number() end, r.id, r.task, r.payload, r.job_group, coalesce(r.run_at, now())
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(lane text, id uuid, task text, payload jsonb, job_group text, run_at timestamptz, keyed boolean)
    on conflict (tenant_id, lane, xact, id) do update set payload = excluded.payload, attempts = 0, last_error = null,
      revision = queued_job.revision + 1, run_at = case when queued_job.worker is null then excluded.run_at else queued_job.run_at end returning 1`
  const due = rows.some(row => row.run_at === null || row.run_at <= ctx.now)
  if (due) ctx.afterCommit(() => notifyDue())
}

/** Removes the job that waits under a key; a job that is running already runs to its end. */
export async function cancel(ctx: Context, task: string, key: string): Promise<void> {
  await ctx.sql`delete from queued_job where tenant_id = ${ctx.caller.tenantId} and lane = ${keyLane(task, key)} and worker is null`
}

/** Ends the failure of a group: its jobs are attempted at once. */
export async function resumeGroup(ctx: Context, group: string): Promise<void> {
  const rows =
    await ctx.sql`delete from failing_group where tenant_id = ${ctx.caller.tenantId} and job_group = ${group} returning 1`
  if (rows.length > 0) ctx.afterCommit(() => notifyDue())
}

const keyLane = (task: string, key: string) => `${task} key ${key}`

const listeners = new Set<() => void>()

/** Calls `listener` when jobs enqueued by this process became due; returns a function that unsubscribes. */
export function onDue(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function notifyDue(): void {
  for (const listener of listeners) listener()
}
