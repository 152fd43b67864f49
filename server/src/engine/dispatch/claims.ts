import { tenantStatus } from '../../kernel/access.ts'
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
}

/** How many jobs of one tenant are examined to find one that may run. */
const window = 40

const fields: Sql = sql`e.tenant_id as "tenantId", e.lane, e.xact::text as xact, e.id, e.task, e.payload, e.attempts, e.revision`

/**
 * Claims due jobs, the tenants in turn, so that a long queue of one tenant does not delay another. A job that has a
 * predecessor in its lane is postponed until the predecessor has been attempted.
 */
export async function claimDue(
  run: Run,
  { worker, free, perTenant, busy, lease, tasks }: ClaimOptions,
): Promise<{ taken: Job[]; more: boolean }> {
  const rows = await run<Job & { more: boolean }>`
    with recursive tenants as (
      (select e.tenant_id, e.run_at from errand e order by e.tenant_id, e.run_at limit 1)
      union all
      select n.tenant_id, n.run_at from tenants t cross join lateral (
        select e.tenant_id, e.run_at from errand e where e.tenant_id > t.tenant_id order by e.tenant_id, e.run_at limit 1) n
    ), open as (
      select t.tenant_id, ${perTenant} - coalesce(b.count, 0) as room from tenants t
      join tenant on tenant.tenant_id = t.tenant_id and tenant.status = ${tenantStatus.active} and not tenant.deleted
      left join unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) as b (tenant_id, count) on b.tenant_id = t.tenant_id
      where t.run_at <= now() and coalesce(b.count, 0) < ${perTenant}
    ), seen as materialized (
      select d.*, o.room, h.run_at as behind from open o cross join lateral (
        select e.tenant_id, e.lane, e.xact, e.id, e.run_at from errand e where e.tenant_id = o.tenant_id and e.run_at <= now() and e.task = any(${tasks}::text[])
        order by e.run_at limit ${window}) d
      left join lateral (
        select f.run_at from errand f where f.tenant_id = d.tenant_id and f.lane = d.lane and (f.xact, f.id) < (d.xact, d.id)
        order by f.xact, f.id limit 1) h on true
    ), turn as (
      select s.*, row_number() over (partition by s.tenant_id order by s.run_at, s.xact, s.id) as nth from seen s where s.behind is null
    ), picked as materialized (
      select t.tenant_id, t.lane, t.xact, t.id from turn t where t.nth <= t.room order by t.nth, t.run_at limit ${free}
    ), locked as materialized (
      select e.tenant_id, e.lane, e.xact, e.id from errand e join picked using (tenant_id, lane, xact, id)
      where e.run_at <= now() for update of e skip locked
    ), off as materialized (
      select e.tenant_id, e.lane, e.xact, e.id, s.behind from errand e join seen s using (tenant_id, lane, xact, id)
      where s.behind is not null and e.run_at <= now() for update of e skip locked
    ), put_off as (
      update errand e set run_at = greatest(o.behind, now() + interval '5 seconds') from off o
      where (e.tenant_id, e.lane, e.xact, e.id) = (o.tenant_id, o.lane, o.xact, o.id)
    ), taken as (
      update errand e set worker = ${worker}, run_at = now() + ${milliseconds(lease)}, attempts = e.attempts + 1 from locked l
      where (e.tenant_id, e.lane, e.xact, e.id) = (l.tenant_id, l.lane, l.xact, l.id)
      returning ${fields}
    )
    select t.*, m.more from (select (select count(*) from seen) > (select count(*) from picked) as more) m left join taken t on true`
  return { taken: rows.filter(row => row.id !== null).map(jobOf), more: rows[0]?.more ?? false }
}

interface ClaimOptions {
  worker: Id
  /** How many jobs this process can claim now, the maximum for one tenant, and how many it runs of each. */
  free: number
  perTenant: number
  busy: ReadonlyMap<Id, number>
  /** How long a worker that does not renew is considered alive; ms. */
  lease: number
  tasks: readonly string[]
}

/**
 * Deletes completed jobs and claims the next job of each lane in the same statement. A job that was enqueued again
 * meanwhile stays and is due again. A worker that has lost the lease changes nothing.
 */
export async function finish(run: Run, worker: Id, lease: number, done: readonly Job[]): Promise<Job[]> {
  const rows = await run<Job>`
    with done as (
      select * from ${keysOf(done)} as k(tenant_id uuid, lane text, xact xid8, id uuid, revision int)
    ), gone as (
      delete from errand e using done d where (e.tenant_id, e.lane, e.xact, e.id, e.revision) = (d.tenant_id, d.lane, d.xact, d.id, d.revision)
        and e.worker = ${worker} returning e.tenant_id, e.lane, e.xact, e.id
    ), again as (
      update errand e set worker = null, run_at = now(), attempts = 0 from done d
      where (e.tenant_id, e.lane, e.xact, e.id) = (d.tenant_id, d.lane, d.xact, d.id) and e.revision > d.revision and e.worker = ${worker}
    ), next as materialized (
      select n.* from gone g cross join lateral (
        select e.tenant_id, e.lane, e.xact, e.id from errand e where e.tenant_id = g.tenant_id and e.lane = g.lane and (e.xact, e.id) > (g.xact, g.id)
        order by e.xact, e.id limit 1) n
    ), locked as materialized (
      select e.tenant_id, e.lane, e.xact, e.id from errand e join next using (tenant_id, lane, xact, id)
      where e.worker is null for update of e
    )
    update errand e set worker = ${worker}, run_at = now() + ${milliseconds(lease)}, attempts = e.attempts + 1 from locked l
    where (e.tenant_id, e.lane, e.xact, e.id) = (l.tenant_id, l.lane, l.xact, l.id)
    returning ${fields}`
  return rows.map(jobOf)
}

/** Makes a failed or postponed job due again after a delay. */
export async function retry(run: Run, worker: Id, { job, wait, error, counts }: Retry): Promise<void> {
  await run`update errand e set worker = null, last_error = ${error.slice(0, 1000)}, attempts = e.attempts - ${counts ? 0 : 1},
      run_at = case when e.revision = ${job.revision} then now() + ${milliseconds(wait)} else now() end
    where e.tenant_id = ${job.tenantId} and e.lane = ${job.lane} and e.xact = ${job.xact}::xid8 and e.id = ${job.id} and e.worker = ${worker}`
}

export interface Retry {
  job: Job
  wait: number
  error: string
  /** Whether this counts as an attempt. */
  counts: boolean
}

/** Renews the leases of these jobs and returns those that this worker still held. */
export async function renew(run: Run, worker: Id, lease: number, held: readonly Job[]): Promise<Job[]> {
  const rows = await run<{ lane: string; id: Id }>`
    update errand e set run_at = now() + ${milliseconds(lease)} from ${keysOf(held)} as k(tenant_id uuid, lane text, xact xid8, id uuid, revision int)
    where (e.tenant_id, e.lane, e.xact, e.id) = (k.tenant_id, k.lane, k.xact, k.id) and e.worker = ${worker} returning e.lane, e.id`
  const kept = new Set(rows.map(row => `${row.lane} ${row.id}`))
  return held.filter(job => kept.has(`${job.lane} ${job.id}`))
}

/**
 * For `set`: the worker interrupted the job itself, so the job is due at once for any worker and the attempt does not
 * count.
 */
const returned: Sql = sql`worker = null, run_at = now(), attempts = greatest(0, e.attempts - 1)`

export async function returnJobs(run: Run, worker: Id, held: readonly Job[]): Promise<void> {
  await run`update errand e set ${returned}
    from ${keysOf(held)} as k(tenant_id uuid, lane text, xact xid8, id uuid, revision int)
    where (e.tenant_id, e.lane, e.xact, e.id) = (k.tenant_id, k.lane, k.xact, k.id) and e.worker = ${worker}`
}

/** Returns all jobs that still have this worker's token, whether they were interrupted or never begun. */
export async function returnAll(run: Run, worker: Id): Promise<void> {
  await run`update errand e set ${returned} where e.worker = ${worker}`
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

function jobOf({ tenantId, lane, xact, id, task, payload, attempts, revision }: Job): Job {
  return { tenantId, lane, xact, id, task, payload, attempts, revision }
}
