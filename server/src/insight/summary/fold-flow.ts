import { tenantIds } from '../../engine/recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { nothing, type Sql, sql, unprepared } from '../../kernel/sql.ts'
import { stays } from './item-stay.ts'

const minute = 60_000

/** More zones would make each fold dearer; callers in rarer ones read the stays. */
const maxZones = 8

/** Sums the steps of the flow by day, in the time zones in which the staff of a tenant live. */
export function foldFlows(database: Database): RecurringJob {
  return {
    name: 'fold-flows',
    every: 5 * minute,
    async run(signal) {
      for await (const tenantId of tenantIds(database, 'active')) {
        signal.throwIfAborted()
        const caller = tenantCaller(tenantId)
        if (await database.single(caller, isUnfolded)) await database.transaction(caller, foldFlow)
      }
    },
  }
}

interface Unfolded {
  steps: boolean
  kept: string[]
  wanted: string[]
}

async function isUnfolded(ctx: Context): Promise<boolean> {
  const { steps, kept, wanted } = await readUnfolded(ctx)
  return steps || wanted.some(zone => !kept.includes(zone))
}

async function readUnfolded({ sql, caller: { tenantId } }: Context): Promise<Unfolded> {
  const [found] =
    await sql<Unfolded>`select exists (select 1 from flow_step f where f.tenant_id = ${tenantId}) as steps,
    array(select z.timezone from flow_zone z where z.tenant_id = ${tenantId} order by 1) as kept,
    array(select coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') from "user" u join tenant t on t.tenant_id = u.tenant_id and t.id = u.tenant_id
      where u.tenant_id = ${tenantId} and u.kind = ${userKind.staff} and u.active and not u.deleted
      group by 1 order by count(*) desc, 1 limit ${maxZones}) as wanted`
  return found ?? { steps: false, kept: [], wanted: [] }
}

/**
 * Adds the steps to the days and to the numbers of items, and deletes them, by one statement: it sees all changes of items whose steps it sees, and no others. So a
 * zone that is new can be summed from the stays at the same time.
 */
export async function foldFlow(ctx: Context): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`set local statement_timeout = '10min'`
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`flow ${tenantId}`}, 0))`
  const { kept, wanted } = await readUnfolded(ctx)
  const left = kept.filter(zone => wanted.includes(zone))
  const fresh = wanted.filter(zone => !kept.includes(zone))
  await ctx.sql`${unprepared(statement(ctx, left, fresh))}`
  await ctx.sql`delete from flow_day d where d.tenant_id = ${tenantId}
    and (d.timezone <> all(${wanted}::text[]) or d.items = 0 and d.points = 0 and d.minutes = 0)`
  await ctx.sql`delete from item_count c where c.tenant_id = ${tenantId} and c.items = 0`
  await foldLabelUse(ctx)
  await ctx.sql`delete from flow_zone z where z.tenant_id = ${tenantId} and z.timezone <> all(${wanted}::text[])`
  await ctx.sql`insert into flow_zone (tenant_id, timezone) select ${tenantId}::uuid, unnest(${fresh}::text[]) returning 1`
}

function statement({ caller: { tenantId } }: Context, left: readonly string[], fresh: readonly string[]): Sql {
  const scanned = sql`union all
      select z.timezone, t.container_id, s.container_id, t.visibility, s.category, f.at, f.n, f.n * t.points, f.n * t.estimate_minutes
      from ${stays} cross join lateral (values (s.from_at, 1), (s.to_at, -1)) f(at, n) cross join unnest(${fresh}::text[]) z(timezone)
      where t.tenant_id = ${tenantId} and not t.deleted and f.at is not null`
  return sql`with folded as (delete from flow_step f where f.tenant_id = ${tenantId} returning f.*),
    counted as (
      insert into item_count as c (tenant_id, container_id, status_category, status, priority, visibility, archived, items)
      select ${tenantId}::uuid, f.home_id, f.category, f.status, f.priority, f.visibility, f.archived, sum(f.items)
      from folded f where f.status is not null group by 2, 3, 4, 5, 6, 7 having sum(f.items) <> 0
      on conflict (tenant_id, container_id, status_category, status, priority, visibility, archived) do update set items = c.items + excluded.items returning 1),
    step as (
      select z.timezone, f.home_id, f.container_id, f.visibility, f.category, f.at, f.items, f.points, f.minutes
      from folded f cross join unnest(${left}::text[]) z(timezone)
      ${fresh.length > 0 ? scanned : nothing})
    insert into flow_day as d (tenant_id, timezone, container_id, day, category, home_id, visibility, items, points, minutes)
    select ${tenantId}::uuid, p.timezone, p.container_id, (p.at at time zone p.timezone)::date, p.category, p.home_id, p.visibility,
      sum(p.items), sum(p.points), sum(p.minutes)
    from step p group by 2, 3, 4, 5, 6, 7 having sum(p.items) <> 0 or sum(p.points) <> 0 or sum(p.minutes) <> 0
    on conflict (tenant_id, timezone, container_id, day, category, home_id, visibility) do update
      set items = d.items + excluded.items, points = d.points + excluded.points, minutes = d.minutes + excluded.minutes returning 1`
}

/** Makes one row of several that tell how often a label is used. */
async function foldLabelUse({ sql, caller: { tenantId } }: Context): Promise<void> {
  await sql`with folded as (
      delete from label_use u where u.tenant_id = ${tenantId} and u.label_id = any(array(
        select m.label_id from label_use m where m.tenant_id = ${tenantId} group by 1 having count(*) > 1))
      returning u.label_id, u.items)
    insert into label_use (tenant_id, label_id, items)
    select ${tenantId}::uuid, f.label_id, sum(f.items) from folded f group by 2 having sum(f.items) <> 0 returning 1`
}
