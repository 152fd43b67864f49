import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Checkpoint } from '../cycle/cycle.ts'
import type { MeasuredCycle } from '../cycle/measure.ts'

// The rows of `item_clock`: lists and timers read them, and the next replay begins where they end.

/** A stored row; instants and amounts are ms, as in a measured cycle. */
export interface StoredRow extends Omit<MeasuredCycle, 'greenAt'> {
  itemId: Id
  /** The crossings that were published as events, see `crossing`. */
  notified: number
  wasPrimary: boolean
}

/** A row to be stored. */
export interface FreshRow extends MeasuredCycle {
  notified: number
  primary: boolean
}

export const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
const ms = (at: Date | null): number | null => at?.getTime() ?? null

interface Row {
  itemId: Id
  lane: string
  cycle: number
  clockId: Id
  targetId: string
  kind: number
  version: number
  state: number
  primary: boolean
  startedAt: Date
  elapsed: number
  remaining: number
  dueAt: Date | null
  amberAt: Date | null
  redAt: Date | null
  pausedSince: Date | null
  pauses: { from: string; to?: string; reason: string }[]
  metAt: Date | null
  breachedAt: Date | null
  breachSeconds: number
  endedAt: Date | null
  endedBy: Id | null
  memory: MeasuredCycle['memory']
  notified: number
  nextAt: Date | null
}

export async function storedRows(ctx: Context, itemIds: readonly Id[]): Promise<Map<Id, StoredRow[]>> {
  const rows =
    await ctx.sql<Row>`select item_id as "itemId", lane, cycle, clock_id as "clockId", target_id as "targetId", kind, version, state, leads as "primary",
      started_at as "startedAt", elapsed, remaining, due_at as "dueAt", amber_at as "amberAt", red_at as "redAt", paused_since as "pausedSince", pauses,
      met_at as "metAt", breached_at as "breachedAt", breach_seconds as "breachSeconds", ended_at as "endedAt", ended_by as "endedBy", memory, told as "notified", next_at as "nextAt"
    from item_clock where tenant_id = ${ctx.caller.tenantId} and item_id = any(${itemIds}::uuid[]) order by lane, cycle`
  return Map.groupBy(rows.map(storedRow), each => each.itemId)
}

function storedRow({ breachSeconds, primary, ...row }: Row): StoredRow {
  return {
    ...row,
    elapsed: row.elapsed * 1000,
    remaining: row.remaining * 1000,
    startedAt: row.startedAt.getTime(),
    dueAt: ms(row.dueAt),
    amberAt: ms(row.amberAt),
    redAt: ms(row.redAt),
    pausedSince: ms(row.pausedSince),
    pauses: row.pauses.map(({ from, to, reason }) => ({
      from: Date.parse(from),
      ...(to ? { to: Date.parse(to) } : {}),
      reason,
    })),
    metAt: ms(row.metAt),
    breachedAt: ms(row.breachedAt),
    breached: breachSeconds * 1000,
    endedAt: ms(row.endedAt),
    endedBy: row.endedBy ?? '',
    nextAt: ms(row.nextAt),
    wasPrimary: primary,
  }
}

/** Replaces the rows of items, except those of cycles that cannot change any more. */
export async function writeRows(
  ctx: Context,
  changed: readonly { itemId: Id; rows: readonly FreshRow[] }[],
  replayed: ReadonlyMap<Id, { checkpoints: ReadonlyMap<string, Checkpoint> }>,
): Promise<void> {
  if (changed.length === 0) return
  const { tenantId } = ctx.caller
  const kept = changed.flatMap(({ itemId }) =>
    [...(replayed.get(itemId)?.checkpoints ?? [])].map(([lane, { cycle }]) => ({ item_id: itemId, lane, cycle })),
  )
  await ctx.sql`delete from item_clock c where c.tenant_id = ${tenantId} and c.item_id = any(${changed.map(each => each.itemId)}::uuid[])
    and not exists (select 1 from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as k(item_id uuid, lane text, cycle int)
      where k.item_id = c.item_id and k.lane = c.lane and c.cycle <= k.cycle)`
  const rows = changed.flatMap(({ itemId, rows }) => rows.map(row => rowOf(itemId, row)))
  await ctx.sql`insert into item_clock (tenant_id, item_id, lane, cycle, clock_id, target_id, kind, version, state, leads, started_at, elapsed, remaining,
      due_at, amber_at, red_at, paused_since, pauses, met_at, breached_at, breach_seconds, ended_at, ended_by, memory, told, next_at)
    select ${tenantId}::uuid, item_id, lane, cycle, clock_id, target_id, kind, version, state, leads, started_at, elapsed, remaining,
      due_at, amber_at, red_at, paused_since, pauses, met_at, breached_at, breach_seconds, ended_at, ended_by, memory, told, next_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(item_id uuid, lane text, cycle int, clock_id uuid, target_id text, kind int, version int, state int, leads boolean,
      started_at timestamptz, elapsed bigint, remaining bigint, due_at timestamptz, amber_at timestamptz, red_at timestamptz, paused_since timestamptz, pauses jsonb,
      met_at timestamptz, breached_at timestamptz, breach_seconds bigint, ended_at timestamptz, ended_by uuid, memory jsonb, told int, next_at timestamptz) returning 1`
  // A finished cycle may have been the primary one until now.
  await ctx.sql`update item_clock c set leads = false where c.tenant_id = ${tenantId} and c.item_id = any(${changed.map(each => each.itemId)}::uuid[]) and c.leads
    and exists (select 1 from item_clock n where n.tenant_id = ${tenantId} and n.item_id = c.item_id and n.clock_id = c.clock_id and n.leads and (n.lane, n.cycle) <> (c.lane, c.cycle) and n.cycle >= c.cycle)`
}

const seconds = (amount: number) => Math.floor(amount / 1000)

function rowOf(itemId: Id, row: FreshRow): Record<string, unknown> {
  return {
    item_id: itemId,
    lane: row.lane,
    cycle: row.cycle,
    clock_id: row.clockId,
    target_id: row.targetId,
    kind: row.kind,
    version: row.version,
    state: row.state,
    leads: row.primary,
    started_at: iso(row.startedAt),
    elapsed: seconds(row.elapsed),
    remaining: seconds(row.remaining),
    due_at: iso(row.dueAt),
    amber_at: iso(row.amberAt),
    red_at: iso(row.redAt),
    paused_since: iso(row.pausedSince),
    pauses: row.pauses.map(({ from, to, reason }) => ({ from: iso(from), to: iso(to ?? null), reason })),
    met_at: iso(row.metAt),
    breached_at: iso(row.breachedAt),
    breach_seconds: seconds(row.breached),
    ended_at: iso(row.endedAt),
    ended_by: row.endedBy || null,
    memory: row.memory,
    told: row.notified,
    next_at: iso(row.nextAt),
  }
}
