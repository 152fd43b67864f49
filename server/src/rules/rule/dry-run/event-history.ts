import type { LoggedEvent } from '../../../engine/dispatch/dispatch.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { type Sql, sql } from '../../../kernel/sql.ts'
import { wholeChanges } from '../../../records/history/whole-changes.ts'

/** The number of events that are read at a time. */
export const eventPage = 1000

const columns: Sql = sql`e.tenant_id as "tenantId", e.xact::text as xact, e.id, e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId",
  e.actor_kind as "actorKind", e.change_set_id as "changeSetId", ${wholeChanges} as changes`

/** Returns the last events of an item, the newest first. */
export async function eventsOfItem(ctx: Context, itemId: Id): Promise<LoggedEvent[]> {
  return await ctx.sql`select ${columns} from event e where e.tenant_id = ${ctx.caller.tenantId} and e.record_id = ${itemId}
    order by e.xact desc, e.id desc limit ${eventPage}`
}

/** A place in the log. */
export interface LogPosition {
  xact: string
  id: Id
}

/** The next events of the log after a place. */
export async function eventsAfter(ctx: Context, { xact, id }: LogPosition): Promise<LoggedEvent[]> {
  return await ctx.sql<LoggedEvent>`select ${columns} from event e
    where e.tenant_id = ${ctx.caller.tenantId} and (e.xact, e.id) > (${xact}::xid8, ${id}::uuid) order by e.xact, e.id limit ${eventPage}`
}

interface EventSelection {
  matches: (event: LoggedEvent) => boolean
  /** The maximum number of events that are read. */
  maxRead: number
  /** The maximum number of events that are returned. */
  max: number
}

/** Returns the matching events of a time span; `complete` is false if a maximum was reached, at the time `reached`. */
export async function eventsBetween(
  ctx: Context,
  since: Date,
  until: Date,
  { matches, maxRead, max }: EventSelection,
): Promise<{ events: LoggedEvent[]; complete: boolean; reached: Date }> {
  const events: LoggedEvent[] = []
  let reached = since
  let at: LogPosition = await positionAt(ctx, since)
  for (let read = 0; read < maxRead; read += eventPage) {
    const rows = await eventsAfter(ctx, at)
    for (const event of rows) {
      if (event.at < since || event.at >= until || !matches(event)) continue
      if (events.length === max) return { events, complete: false, reached: event.at }
      events.push(event)
    }
    const last = rows.at(-1)
    if (!last || rows.length < eventPage || last.at >= until) return { events, complete: true, reached: until }
    at = last
    reached = last.at
  }
  return { events, complete: false, reached }
}

/** Returns a place in the log before the first event after a moment. Transactions are nearly ordered by time, so a binary search finds it. */
export async function positionAt(ctx: Context, moment: Date): Promise<LogPosition> {
  const { tenantId } = ctx.caller
  const [ends] = await ctx.sql<{ first: string | null; last: string | null }>`select
    (select xact::text from event where tenant_id = ${tenantId} order by xact, id limit 1) as first, (select xact::text from event where tenant_id = ${tenantId} order by xact desc, id desc limit 1) as last`
  let [low, high] = [BigInt(ends?.first ?? 0), BigInt(ends?.last ?? 0)]
  while (low < high) {
    const middle = (low + high) / 2n
    const [row] = await ctx.sql<{ xact: string; at: Date }>`select xact::text as xact, at from event
      where tenant_id = ${tenantId} and xact >= ${String(middle)}::xid8 order by xact, id limit 1`
    if (row && row.at < moment) low = BigInt(row.xact) + 1n
    else high = middle
  }
  // The search starts earlier, because transactions commit in another order than they begin.
  return { xact: String(low > 1000n ? low - 1000n : 0n), id: '00000000-0000-0000-0000-000000000000' }
}
