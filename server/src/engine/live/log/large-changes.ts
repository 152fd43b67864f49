import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { nothing, type Sql, sql } from '../../../kernel/sql.ts'
import type { LogPosition } from '../log-position.ts'
import type { LargeChange } from './event-batch.ts'
import type { EventRow } from './live-event.ts'

/** A change set of more records is reported by one message. */
const maxSingle = 200

/** A change set with fewer events in a read is not worth a message: it is small, or the end of a large one. */
const minFolded = 20

/** A large change as it is found: with its last event. */
export interface FoundChange extends Pick<LargeChange, 'changeSetId' | 'entities'> {
  xact: string
  lastId: Id
}

/** Finds the large changes among the rows of a read. A long one is committed in parts, so all of it is counted. */
export async function findLargeChanges(
  ctx: Context,
  after: LogPosition,
  { rows, settled, isFull }: { rows: readonly EventRow[]; settled: string; isFull: boolean },
  known: readonly FoundChange[],
): Promise<FoundChange[]> {
  const sets = Map.groupBy(rows, row => row.changeSetId)
  for (const { changeSetId } of known) sets.delete(changeSetId)
  // A read that is full may have ended before the change did.
  const last = isFull ? rows.at(-1)?.changeSetId : undefined
  const suspects = [...sets].filter(([id, { length }]) => length > minFolded || id === last).map(([id]) => id)
  if (suspects.length === 0) return []
  const written = sql`e.tenant_id = ${ctx.caller.tenantId} and e.change_set_id = s.id and e.xact < ${settled}::xid8`
  const here = sql`${written} and (e.xact, e.id) > (${after.xact}::xid8, ${after.id}::uuid)`
  return await ctx.sql<FoundChange>`
    select s.id as "changeSetId", l.xact::text as xact, l.id as "lastId", array(select distinct e.entity from event e where ${here}) as entities
    from unnest(${suspects}::uuid[]) s(id)
    cross join lateral (select e.xact, e.id from event e where ${here} order by e.xact desc, e.id desc limit 1) l
    where (select count(*) from (select distinct e.record_id from event e where ${written} limit ${maxSingle + 1}) r) > ${maxSingle}`
}

/** Leaves out the events of large changes, except for the last one, whose place the message takes. */
export function withoutLarge(large: readonly FoundChange[]): Sql {
  if (large.length === 0) return nothing
  return sql`and not exists (
    select 1 from unnest(${large.map(each => each.changeSetId)}::uuid[], ${large.map(each => each.xact)}::xid8[], ${large.map(each => each.lastId)}::uuid[]) l(set_id, xact, id)
    where l.set_id = e.change_set_id and (l.xact, l.id) > (e.xact, e.id))`
}
