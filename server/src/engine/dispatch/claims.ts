import type { Run } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { milliseconds } from '../lease/lease.ts'

/** A job as it was claimed, with the token of the worker. */
export interface Job {
  tenantId: Id
  lane: string
  xact: string
  id: Id
  task: string
  payload: Record<string, unknown>
  attempts: number
  revision: number
  group: string
  /** Whether its group was failing when it was claimed. */
  probe: boolean
}

export const jobFields: Sql = sql`j.tenant_id as "tenantId", j.lane, j.xact::text as xact, j.id, j.task, j.payload, j.attempts, j.revision,
  j.job_group as "group"`

/** A job that is done. */
export interface DoneJob {
  readonly job: Job
  /** Whether it has shown that its group works. */
  readonly proves: boolean
}

/**
 * Deletes completed jobs and claims the next job of each lane in the same statement. A failing group ends when one of its jobs shows
 * that it works, or when it has no jobs left. A job that was enqueued again
 * meanwhile stays and is due again. A worker that has lost the lease changes nothing.
 */
export async function finish(run: Run, worker: Id, lease: number, done: readonly DoneJob[]): Promise<Job[]> {
  const groups = done
    .filter(({ job, proves }) => proves || job.probe)
    .map(({ job: { tenantId, group }, proves }) => ({ tenantId, group, proves }))
  const rows = await run<Job>`
    with done as (
      select * from ${keysOf(done.map(each => each.job))} as k(tenant_id uuid, lane text, xact xid8, id uuid, revision int)
    ), well as (
      delete from failing_group f using jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as p("tenantId" uuid, "group" text, proves boolean)
      where f.tenant_id = p."tenantId" and f.job_group = p."group" and (p.proves or not exists (
        select 1 from queued_job j where j.tenant_id = f.tenant_id and j.job_group = f.job_group and not exists (
          select 1 from done d where (j.tenant_id, j.lane, j.xact, j.id, j.revision) = (d.tenant_id, d.lane, d.xact, d.id, d.revision))))
    ), gone as (
      delete from queued_job j using done d where (j.tenant_id, j.lane, j.xact, j.id, j.revision) = (d.tenant_id, d.lane, d.xact, d.id, d.revision)
        and j.worker = ${worker} returning j.tenant_id, j.lane, j.xact, j.id
    ), again as (
      update queued_job j set worker = null, run_at = now(), attempts = 0 from done d
      where (j.tenant_id, j.lane, j.xact, j.id) = (d.tenant_id, d.lane, d.xact, d.id) and j.revision > d.revision and j.worker = ${worker}
    ), next as materialized (
      select n.* from gone g cross join lateral (
        select j.tenant_id, j.lane, j.xact, j.id from queued_job j where j.tenant_id = g.tenant_id and j.lane = g.lane and (j.xact, j.id) > (g.xact, g.id)
        order by j.xact, j.id limit 1) n
    ), locked as materialized (
      select j.tenant_id, j.lane, j.xact, j.id from queued_job j join next using (tenant_id, lane, xact, id)
      where j.worker is null for update of j
    )
    update queued_job j set worker = ${worker}, run_at = now() + ${milliseconds(lease)}, attempts = j.attempts + 1 from locked l
    where (j.tenant_id, j.lane, j.xact, j.id) = (l.tenant_id, l.lane, l.xact, l.id)
    returning ${jobFields}, false as probe`
  return rows.map(jobOf)
}

/** Makes a failed or postponed job due again after a delay. With `pause` its whole group fails, and waits for so long. */
export async function retry(run: Run, worker: Id, { job, wait, error, counts, pause }: Retry): Promise<void> {
  const again = sql`update queued_job j set worker = null, last_error = ${error.slice(0, 1000)}, attempts = j.attempts - ${counts ? 0 : 1},
      run_at = case when j.revision = ${job.revision} then now() + ${milliseconds(wait)} else now() end
    where j.tenant_id = ${job.tenantId} and j.lane = ${job.lane} and j.xact = ${job.xact}::xid8 and j.id = ${job.id} and j.worker = ${worker} returning 1`
  if (pause === undefined) await run`${again}`
  else
    await run`with again as (${again}), forgotten as (
        delete from failing_group f where f.tenant_id = ${job.tenantId} and f.resume_at < now() - interval '1 day' and f.job_group <> ${job.group})
      insert into failing_group (tenant_id, job_group, resume_at) select ${job.tenantId}::uuid, ${job.group}, now() + ${milliseconds(pause)} from again
      on conflict (tenant_id, job_group) do update set resume_at = greatest(failing_group.resume_at, excluded.resume_at)`
}

export interface Retry {
  job: Job
  wait: number
  error: string
  /** Whether this counts as an attempt. */
  counts: boolean
  /** How long all jobs of the group wait, if the whole group fails; ms. */
  pause?: number | undefined
}

/** Renews the leases of these jobs and returns those that this worker still held. */
export async function renew(run: Run, worker: Id, lease: number, held: readonly Job[]): Promise<Job[]> {
  const rows = await run<{ lane: string; id: Id }>`
    update queued_job j set run_at = now() + ${milliseconds(lease)} from ${keysOf(held)} as k(tenant_id uuid, lane text, xact xid8, id uuid, revision int)
    where (j.tenant_id, j.lane, j.xact, j.id) = (k.tenant_id, k.lane, k.xact, k.id) and j.worker = ${worker} returning j.lane, j.id`
  const kept = new Set(rows.map(row => `${row.lane} ${row.id}`))
  return held.filter(job => kept.has(`${job.lane} ${job.id}`))
}

/**
 * For `set`: the worker interrupted the job itself, so the job is due at once for any worker and the attempt does not
 * count.
 */
const returned: Sql = sql`worker = null, run_at = now(), attempts = greatest(0, j.attempts - 1)`

export async function returnJobs(run: Run, worker: Id, held: readonly Job[]): Promise<void> {
  await run`update queued_job j set ${returned}
    from ${keysOf(held)} as k(tenant_id uuid, lane text, xact xid8, id uuid, revision int)
    where (j.tenant_id, j.lane, j.xact, j.id) = (k.tenant_id, k.lane, k.xact, k.id) and j.worker = ${worker}`
}

/** Returns all jobs that still have this worker's token, whether they were interrupted or never begun. */
export async function returnAll(run: Run, worker: Id): Promise<void> {
  await run`update queued_job j set ${returned} where j.worker = ${worker}`
}

function keysOf(jobs: readonly Job[]): Sql {
  const rows = jobs.map(({ tenantId, lane, xact, id, revision }) => ({
    tenant_id: tenantId,
    lane,
    xact,
    id,
    revision,
  }))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`
}

export function jobOf({ tenantId, lane, xact, id, task, payload, attempts, revision, group, probe }: Job): Job {
  return { tenantId, lane, xact, id, task, payload, attempts, revision, group, probe }
}
