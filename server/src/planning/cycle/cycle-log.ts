import { type Amount, type Cycle, done } from '../../containers/cycle/cycle.ts'
import { statusCategory } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { type Burndown, burndown, type CycleFacts, type ItemHistory } from './burndown.ts'

/** The burndown of a cycle: the snapshot of its finish, or else computed from the log. */
export async function burndownOf(ctx: Context, cycle: Cycle): Promise<Burndown & { timezone: string }> {
  const kept = cycle.state === done ? await snapshotOf(ctx, cycle.id) : undefined
  if (kept) return kept.burndown
  const timezone = await timezoneOf(ctx, cycle)
  const { startDate, endDate, startedAt, completedAt } = cycle
  const span = { timezone, startDate, endDate, startedAt, completedAt }
  const committed = 'count' in cycle.committed ? (cycle.committed as Amount) : undefined
  return { timezone, ...burndown(cycle.id, await itemHistories(ctx, cycle.id), span, ctx.now, committed) }
}

/** What is stored when a cycle is finished. */
export interface CycleSnapshot {
  burndown: Burndown & { timezone: string }
  /** The items that were open at the finish, and the cycle to which they were moved; empty means the backlog. */
  uncompleted: Id[]
  rolledOver: Id[]
  rolledTo: Id | ''
}

export async function snapshotOf(ctx: Context, cycleId: Id): Promise<CycleSnapshot | undefined> {
  const [row] = await ctx.sql<{
    snapshot: CycleSnapshot | null
  }>`select snapshot from cycle where tenant_id = ${ctx.caller.tenantId} and id = ${cycleId}`
  return row?.snapshot ?? undefined
}

/** Days end at midnight in the time zone of the container’s clock, or else of the tenant. */
export async function timezoneOf(ctx: Context, { containerId }: Cycle): Promise<string> {
  const [row] = await ctx.sql<{ timezone: string | null }>`
    select coalesce(
      (select nullif(k.timezone, '') from container c join clock k on k.tenant_id = ${ownTenant} and k.id = c.clock_id and not k.deleted
        where c.tenant_id = ${ctx.caller.tenantId} and c.id = ${containerId === '' ? null : containerId}::uuid),
      (select nullif(t.timezone, '') from tenant t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${ctx.caller.tenantId})) as timezone`
  return row?.timezone ?? 'UTC'
}

const counted = ['cycleId', 'statusCategory', 'points', 'estimateMinutes', 'deleted'] as const
const unset: CycleFacts = {
  cycleId: '',
  statusCategory: statusCategory.backlog,
  points: 0,
  estimateMinutes: 0,
  deleted: false,
}

interface LogRow {
  id: Id
  at: Date
  created: boolean
  changes: Record<string, { from?: unknown }>
}

/**
 * The histories of all items that were ever in the cycle, regardless of visibility, so that everybody sees the same
 * numbers.
 */
async function itemHistories(ctx: Context, cycleId: Id): Promise<ItemHistory[]> {
  const { tenantId } = ctx.caller
  const items = await ctx.sql<CycleFacts & { id: Id }>`
    select t.id, coalesce(t.cycle_id::text, '') as "cycleId", t.status_category as "statusCategory", t.points::float8 as points,
      t.estimate_minutes as "estimateMinutes", t.deleted
    from cycle_item m join item t on t.tenant_id = ${ownTenant} and t.id = m.item_id where m.tenant_id = ${tenantId} and m.cycle_id = ${cycleId}`
  const log = await ctx.sql<LogRow>`
    select e.record_id as id, e.at, e.kind = 'item.created' as created,
      coalesce((select jsonb_object_agg(c.key, c.value) from jsonb_each(e.changes) c where c.key = any(${counted}::text[])), '{}') as changes
    from cycle_item m join event e on e.tenant_id = ${ownTenant} and e.record_id = m.item_id and e.entity = 'Item'
    where m.tenant_id = ${tenantId} and m.cycle_id = ${cycleId} order by e.xact desc, e.id desc`
  const byItem = Map.groupBy(log, row => row.id)
  return items.map(({ id, ...now }) => ({
    now,
    log: (byItem.get(id) ?? []).map(({ at, created, changes }) => ({
      at: at.getTime(),
      created,
      from: before(changes),
    })),
  }))
}

function before(changes: LogRow['changes']): Partial<CycleFacts> {
  const from: Record<string, unknown> = {}
  for (const property of counted) if (changes[property]) from[property] = changes[property].from ?? unset[property]
  return from
}
