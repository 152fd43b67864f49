import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { nothing, type Sql, sql } from '../../kernel/sql.ts'
import { hiddenAmounts, withChangesShown } from '../../records/amounts.ts'
import { formatPosition, isAfter, type LogPosition, zeroId } from './log-position.ts'

/** Longer changes (in characters) are left out of the delivered event: a client that needs them reads the record. */
const maxChanges = 4000

/** An event as it is delivered: its position, the properties that filters use, and the text that is sent. */
export class LiveEvent {
  readonly position: LogPosition
  readonly kind: string
  readonly entity: string
  readonly recordId: Id
  readonly text: string
  #changes: Changes | undefined

  constructor(row: Row) {
    this.position = { xact: row.xact, id: row.id }
    this.kind = row.kind
    this.entity = row.entity
    this.recordId = row.recordId
    this.text = row.text
  }

  /** Parsed on demand, because few streams need the changes. */
  get changes(): Changes {
    this.#changes ??= (JSON.parse(this.text) as { changes?: Changes }).changes ?? {}
    return this.#changes
  }
}

interface Row {
  xact: string
  id: Id
  kind: string
  entity: string
  recordId: Id
  text: string
}

/** Consecutive events: everything between two positions of the log. */
export class EventBatch {
  readonly after: LogPosition
  readonly upTo: LogPosition
  readonly events: readonly LiveEvent[]
  readonly #worked = new Map<string, unknown>()
  readonly #bytes = new WeakMap<readonly LiveEvent[], Buffer>()

  constructor(after: LogPosition, upTo: LogPosition, events: readonly LiveEvent[]) {
    this.after = after
    this.upTo = upTo
    this.events = events
  }

  /** Computes a value once for all streams that need it. */
  once<T>(key: string, work: () => T): T {
    if (!this.#worked.has(key)) this.#worked.set(key, work())
    return this.#worked.get(key) as T
  }

  /** Returns the list of this batch that holds the same events, so that results computed from it are cached once. */
  same(events: readonly LiveEvent[]): readonly LiveEvent[] {
    if (events.length === this.events.length) return this.events
    return this.once(`list ${events.map(each => each.position.id).join()}`, () => events)
  }

  /** The events as they are sent; streams with the same list send the same bytes. */
  bytes(events: readonly LiveEvent[]): Buffer {
    const bytes =
      this.#bytes.get(events) ?? Buffer.from(events.map(each => sseFrame(each.position, each.text)).join(''))
    this.#bytes.set(events, bytes)
    return bytes
  }
}

/** The text of an event without the amounts that the caller does not see. */
export function textShown(caller: Caller, { entity, text }: LiveEvent): string {
  return hiddenAmounts(caller, entity).length > 0 ? JSON.stringify(withChangesShown(caller, JSON.parse(text))) : text
}

/** Formats one event for `text/event-stream`. */
export function sseFrame(place: LogPosition, data: string): string {
  return `id: ${formatPosition(place)}\ndata: ${data}\n\n`
}

/** Returns the current end of the log. Events of transactions that are still running come after this position. */
export async function endOfLog(database: Database, tenantId: Id): Promise<LogPosition> {
  const [row] = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<{ xact: string }>`select log_settled()::text as xact`,
  )
  return { xact: row?.xact ?? '0', id: zeroId }
}

/**
 * Reads on from a position, in the order of the log and only as far as that order is final: no event ever appears
 * before a position that was read. `unsettled` says that there are events whose order is not final yet.
 */
export async function readBatch(
  database: Database,
  tenantId: Id,
  after: LogPosition,
  { limit, where = nothing }: { limit: number; where?: Sql },
): Promise<{ batch: EventBatch; full: boolean; unsettled: boolean }> {
  return await database.single(tenantCaller(tenantId), async ctx => {
    const beyond = sql`e.tenant_id = ${tenantId} and (e.xact, e.id) > (${after.xact}::xid8, ${after.id}::uuid)`
    const rows = await ctx.sql<{ settled: string; unsettled: boolean } & Row>`
      select s.settled::text as settled, s.unsettled, r.*
      from (select x.settled, exists (select 1 from event e where ${beyond} and e.xact >= x.settled) as unsettled
        from (select log_settled() as settled) x) s
      left join lateral (
        select e.xact::text as xact, e.id, e.kind, e.entity, e.record_id as "recordId", ${thin} as text from event e
        where ${beyond} and e.xact < s.settled ${where} order by e.xact, e.id limit ${limit}) r on true`
    const events = rows.filter(row => row.id !== null).map(row => new LiveEvent(row))
    const full = events.length === limit
    const last = events.at(-1)?.position ?? after
    const settled = { xact: rows[0]?.settled ?? '0', id: zeroId }
    const upTo = !full && isAfter(settled, last) ? settled : last
    return { batch: new EventBatch(after, upTo, events), full, unsettled: rows[0]?.unsettled ?? false }
  })
}

/** The event without its changes, as the start of a JSON object; then the changes, unless they are too long. */
const thin: Sql = sql`left(json_build_object('seq', e.xact::text || '-' || e.id::text, 'kind', e.kind, 'entity', e.entity, 'recordId', e.record_id,
    'changeSetId', e.change_set_id, 'actorId', e.actor_id, 'at', to_char(e.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, -1)
  || case when length(e.changes::text) <= ${maxChanges} then ', "changes" : ' || e.changes::text || '}' else '}' end`
