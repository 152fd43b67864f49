import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { raw } from '../../kernel/sql.ts'
import { targetKind } from '../../records/clock-codes.ts'

const at = (column: string) => instantText(raw(`c.${column}`))

/** The stored state of the clocks of items, for lists and screens that need no computation. */
export async function storedClocks(ctx: Context, itemIds: readonly Id[]): Promise<Map<Id, unknown>> {
  if (itemIds.length === 0) return new Map()
  const rows = await ctx.sql<{
    id: Id
    clocks: unknown
  }>`select c.item_id as id, json_agg(json_build_object('clockId', c.clock_id, 'targetId', c.target_id, 'kind', c.kind, 'cycle', c.cycle, 'state', c.state,
      'startedAt', ${at('started_at')}, 'amberAt', ${at('amber_at')}, 'redAt', ${at('red_at')}, 'dueAt', ${at('due_at')}, 'pausedSince', ${at('paused_since')},
      'metAt', ${at('met_at')}, 'breachedAt', ${at('breached_at')}) order by c.kind, c.lane, c.cycle) as clocks
    from item_clock c where c.tenant_id = ${ctx.caller.tenantId} and c.item_id = any(${itemIds}::uuid[]) group by c.item_id`
  return new Map(rows.map(({ id, clocks }) => [id, clocks]))
}

/** What a requester sees of a clock. */
export interface ShownPromise {
  kind: number
  cycle: number
  state: number
  dueAt: string | null
  metAt: string | null
  breachedAt: string | null
}

/** The kinds of targets that measure the desk’s own work, or the requester. */
const internalKinds = [targetKind.requesterWait, targetKind.agentWork]

/**
 * What a requester sees of the clocks of their items: what was promised, until when, and whether it was kept. The thresholds are
 * those of staff.
 */
export async function promisesTo(ctx: Context, itemIds: readonly Id[]): Promise<Map<Id, ShownPromise[]>> {
  if (itemIds.length === 0) return new Map()
  const rows = await ctx.sql<{
    id: Id
    clocks: ShownPromise[]
  }>`select c.item_id as id, json_agg(json_build_object('kind', c.kind, 'cycle', c.cycle, 'state', c.state,
      'dueAt', ${at('due_at')}, 'metAt', ${at('met_at')}, 'breachedAt', ${at('breached_at')}) order by c.kind, c.lane, c.cycle) as clocks
    from item_clock c where c.tenant_id = ${ctx.caller.tenantId} and c.item_id = any(${itemIds}::uuid[])
      and c.kind <> all(${internalKinds}::int[]) group by c.item_id`
  return new Map(rows.map(({ id, clocks }) => [id, clocks]))
}
