import { tenantCaller } from '../../../identity/tenant-caller.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import { nothing, type Sql, sql } from '../../../kernel/sql.ts'
import { wholeChanges } from '../../../records/history/whole-changes.ts'
import { isAfter, type LogPosition, zeroId } from '../log-position.ts'
import { EventBatch } from './event-batch.ts'
import { type FoundChange, findLargeChanges, withoutLarge } from './large-changes.ts'
import { type EventRow, LiveEvent } from './live-event.ts'

/** Longer changes (in characters) are left out of the delivered event: a client that needs them reads the record. */
const maxChanges = 4000

/** A client that is more events behind reads its records again instead of the events. */
const maxBehind = 5000

/** The end of the log at one moment: where the order is final, and what has been committed beyond that position. */
export interface LogEnd {
  position: LogPosition
  /** The number of the next transaction: nothing from there on has been committed. */
  next: string
  /** The numbers before it whose transactions are still running. */
  running: readonly string[]
}

/** Returns the current end of the log. Events of transactions that are still running come after its position. */
export async function endOfLog(database: Database, tenantId: Id): Promise<LogEnd> {
  const [row] = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<{ settled: string; next: string; running: string[] }>`
      select log_settled()::text as settled, (log_base() + pg_snapshot_xmax(s)::text::bigint)::text as next,
        array(select (log_base() + each::text::bigint)::text from pg_snapshot_xip(s) each) as running
      from pg_current_snapshot() s`,
  )
  const { settled, next, running } = row ?? { settled: '0', next: '0', running: [] }
  return { position: { xact: settled, id: zeroId }, next, running }
}

/** Whether an event had been committed when this was the end of the log. */
export function wasCommitted({ next, running }: LogEnd, { xact }: LogPosition): boolean {
  return isAfter({ xact: next, id: zeroId }, { xact, id: zeroId }) && !running.includes(xact)
}

/** Whether too many events follow a position to send them. */
export async function isFarBehind(database: Database, tenantId: Id, after: LogPosition): Promise<boolean> {
  const rows = await database.single(
    tenantCaller(tenantId),
    ctx =>
      ctx.sql`select 1 from event e where ${beyond(tenantId, after)} order by e.xact, e.id offset ${maxBehind} limit 1`,
  )
  return rows.length > 0
}

interface ReadOptions {
  limit: number
  where?: Sql
  /** Whether large changes are reported by one message instead of their events. */
  folds?: boolean
}

/**
 * Reads on from a position, in the order of the log and only as far as that order is final: no event ever appears
 * before a position that was read. `unsettled` says that there are events whose order is not final yet.
 */
export async function readBatch(
  database: Database,
  tenantId: Id,
  after: LogPosition,
  { limit, where = nothing, folds = false }: ReadOptions,
): Promise<{ batch: EventBatch; full: boolean; unsettled: boolean }> {
  return await database.single(tenantCaller(tenantId), async ctx => {
    const large: FoundChange[] = []
    for (;;) {
      const read = await readRows(ctx, after, limit, sql`${where} ${withoutLarge(large)}`)
      const isFull = read.rows.length === limit
      const found = folds ? await findLargeChanges(ctx, after, { ...read, isFull }, large) : []
      if (found.length === 0) return batchOf(after, limit, large, read)
      large.push(...found)
    }
  })
}

interface Read {
  rows: EventRow[]
  settled: string
  unsettled: boolean
}

async function readRows(ctx: Context, after: LogPosition, limit: number, where: Sql): Promise<Read> {
  const behind = beyond(ctx.caller.tenantId, after)
  const rows = await ctx.sql<{ settled: string; unsettled: boolean } & EventRow>`
    select s.settled::text as settled, s.unsettled, r.*
    from (select x.settled, exists (select 1 from event e where ${behind} and e.xact >= x.settled) as unsettled
      from (select log_settled() as settled) x) s
    left join lateral (
      select e.xact::text as xact, e.id, e.kind, e.entity, e.record_id as "recordId", e.change_set_id as "changeSetId", ${thin} as text from event e
      where ${behind} and e.xact < s.settled ${where} order by e.xact, e.id limit ${limit}) r on true`
  const [first] = rows
  return {
    rows: rows.filter(row => row.id !== null),
    settled: first?.settled ?? '0',
    unsettled: first?.unsettled ?? false,
  }
}

function batchOf(after: LogPosition, limit: number, large: readonly FoundChange[], read: Read) {
  const { rows, settled, unsettled } = read
  const full = rows.length === limit
  const lasts = new Set(large.map(each => each.lastId))
  const events = rows.filter(row => !lasts.has(row.id)).map(row => new LiveEvent(row))
  const last = rows.at(-1) ?? after
  const end = { xact: settled, id: zeroId }
  const upTo = !full && isAfter(end, last) ? end : { xact: last.xact, id: last.id }
  // If other events fill the read before the last one of a large change, a message comes now, and another one then.
  const found = new Set(rows.map(row => row.id))
  const placed = large.map(({ changeSetId, entities, xact, lastId: id }) => ({
    ...{ changeSetId, entities, after },
    position: found.has(id) ? { xact, id } : upTo,
  }))
  return { batch: new EventBatch(after, upTo, events, placed), full, unsettled }
}

function beyond(tenantId: Id, after: LogPosition): Sql {
  return sql`e.tenant_id = ${tenantId} and (e.xact, e.id) > (${after.xact}::xid8, ${after.id}::uuid)`
}

/** The event without its changes, as the start of a JSON object; then the changes, unless they are too long. */
const thin: Sql = sql`left(json_strip_nulls(json_build_object('seq', e.xact::text || '-' || e.id::text, 'type', e.kind, 'kind', e.kind, 'entity', e.entity, 'recordId', e.record_id,
    'version', e.version, 'changeSetId', e.change_set_id, 'actor', json_build_object('id', e.actor_id, 'kind', e.actor_kind), 'actorId', e.actor_id, 'at', to_char(e.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text, -1)
  || coalesce((select ', "changes" : ' || c.text from (select ${wholeChanges}::text as text offset 0) c where length(c.text) <= ${maxChanges}), '') || '}'`
