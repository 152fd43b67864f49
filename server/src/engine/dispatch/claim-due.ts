import { tenantStatus } from '../../kernel/access.ts'
import type { Run } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { milliseconds } from '../lease/lease.ts'
import { type Job, jobFields, jobOf } from './claims.ts'
import type { Room } from './load.ts'

/** How many jobs of a group are examined beyond those that may run, because jobs may wait for others of their lane. */
const lookahead = 8

interface ClaimOptions {
  worker: Id
  /** What this process can claim now. */
  room: Room
  /** How long a worker that does not renew is considered alive; ms. */
  lease: number
  tasks: readonly string[]
}

/**
 * Claims due jobs: the tenants in turn, and the groups of each tenant in turn, so that a long queue delays no other. Of a
 * failing group one job is claimed at a time, and none during its pause. A job that has a predecessor in its lane is
 * postponed until the predecessor has been attempted.
 */
export async function claimDue(
  run: Run,
  { worker, room, lease, tasks }: ClaimOptions,
): Promise<{ taken: Job[]; more: boolean }> {
  const rows = await run<Job & { more: boolean }>`
    with recursive load as materialized (
      select ${JSON.stringify(room.tenants)}::jsonb as tenants, ${JSON.stringify(room.groups)}::jsonb as groups
    ), tenants as (
      (select j.tenant_id, j.run_at from queued_job j order by j.tenant_id, j.run_at limit 1)
      union all
      select n.tenant_id, n.run_at from tenants t cross join lateral (
        select j.tenant_id, j.run_at from queued_job j where j.tenant_id > t.tenant_id order by j.tenant_id, j.run_at limit 1) n
    ), open as materialized (
      select t.tenant_id, coalesce((l.tenants -> t.tenant_id::text ->> 'free')::int, ${room.perTenant}) as free,
        coalesce((l.tenants -> t.tenant_id::text ->> 'probes')::int, ${room.probes}) as probes
      from tenants t cross join load l
      join tenant on tenant.tenant_id = t.tenant_id and tenant.status = ${tenantStatus.active} and not tenant.deleted
      where t.run_at <= now()
    ), groups as (
      select n.tenant_id, n.job_group, n.run_at from open o cross join lateral (
        select j.tenant_id, j.job_group, j.run_at from queued_job j where j.tenant_id = o.tenant_id order by j.job_group, j.run_at limit 1) n
      where o.free > 0
      union all
      select n.tenant_id, n.job_group, n.run_at from groups g cross join lateral (
        select j.tenant_id, j.job_group, j.run_at from queued_job j where j.tenant_id = g.tenant_id and j.job_group > g.job_group
        order by j.job_group, j.run_at limit 1) n
    ), due as (
      select g.*, f.job_group is not null as failing, case when f.job_group is not null then 1 when g.job_group = any(${tasks}::text[]) then ${room.perTenant}
          else coalesce((k.busy ->> 'most')::int, 1) end - coalesce((k.busy ->> 'running')::int, 0) as free
      from groups g cross join lateral (select l.groups -> (g.tenant_id::text || ' ' || g.job_group) as busy from load l) k
      left join failing_group f on f.tenant_id = g.tenant_id and f.job_group = g.job_group
      where g.run_at <= now() and (f.resume_at is null or f.resume_at <= now())
    ), ready as (
      select d.*, row_number() over (partition by d.tenant_id, d.failing order by d.run_at) as place from due d where d.free > 0
    ), seen as materialized (
      select d.*, r.failing, r.free as group_free, o.free as tenant_free, h.run_at as behind
      from ready r join open o on o.tenant_id = r.tenant_id and r.place <= case when r.failing then o.probes else o.free end
      cross join lateral (
        select j.tenant_id, j.lane, j.xact, j.id, j.run_at, j.job_group from queued_job j
        where j.tenant_id = r.tenant_id and j.job_group = r.job_group and j.run_at <= now() and j.task = any(${tasks}::text[])
        order by j.run_at limit least(r.free, o.free) + ${lookahead}) d
      left join lateral (
        select f.run_at from queued_job f where f.tenant_id = d.tenant_id and f.lane = d.lane and (f.xact, f.id) < (d.xact, d.id)
        order by f.xact, f.id limit 1) h on true
    ), of_group as (
      select s.*, row_number() over (partition by s.tenant_id, s.job_group order by s.run_at, s.xact, s.id) as nth from seen s where s.behind is null
    ), of_tenant as (
      select g.*, row_number() over (partition by g.tenant_id order by g.nth, g.run_at, g.xact, g.id) as turn from of_group g where g.nth <= g.group_free
    ), picked as materialized (
      select t.tenant_id, t.lane, t.xact, t.id, t.failing from of_tenant t where t.turn <= t.tenant_free order by t.turn, t.run_at limit ${room.free}
    ), locked as materialized (
      select j.tenant_id, j.lane, j.xact, j.id, picked.failing from queued_job j join picked using (tenant_id, lane, xact, id)
      where j.run_at <= now() for update of j skip locked
    ), off as materialized (
      select j.tenant_id, j.lane, j.xact, j.id, s.behind from queued_job j join seen s using (tenant_id, lane, xact, id)
      where s.behind is not null and j.run_at <= now() for update of j skip locked
    ), put_off as (
      update queued_job j set run_at = greatest(o.behind, now() + interval '5 seconds') from off o
      where (j.tenant_id, j.lane, j.xact, j.id) = (o.tenant_id, o.lane, o.xact, o.id)
    ), taken as (
      update queued_job j set worker = ${worker}, run_at = now() + ${milliseconds(lease)}, attempts = j.attempts + 1 from locked l
      where (j.tenant_id, j.lane, j.xact, j.id) = (l.tenant_id, l.lane, l.xact, l.id)
      returning ${jobFields}, l.failing as probe
    )
    select t.*, m.more from (select (select count(*) from seen) > (select count(*) from picked) as more) m left join taken t on true`
  return { taken: rows.filter(row => row.id !== null).map(jobOf), more: rows[0]?.more ?? false }
}
