import { tenantCaller } from '../../identity/tenant-caller.ts'
import { type Caller, may, maySomewhere } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { join, name, raw, render, type Sql } from '../../kernel/sql.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { EventBatch, LiveEvent } from './event-batch.ts'

const t = raw('t')

/** Which records of one kind a caller sees: none, all, or those that match a condition. */
interface KindVisibility {
  kind: Kind
  condition: Sql
  /** Callers with the same key have the same condition and see the same records. */
  key: string
}

/** A query that waits for its turn. */
interface PendingQuery {
  condition: Sql
  resolve: (seen: VisibleRecords) => void
  reject: (error: unknown) => void
}

/** The maximum of different conditions that one query evaluates. */
const maxAtOnce = 50

/** The ids of the visible records, with the container of each. */
type VisibleRecords = ReadonlyMap<Id, Id | null>

export interface EventFilter {
  /** Selects the events that are wanted; all if omitted. */
  concerns?: ((event: LiveEvent) => boolean) | undefined
  /** Restricts the events to this container and its content. */
  containerId?: Id | undefined
}

/**
 * Decides which events a caller receives: those whose record they may see now, by the same condition that lists and
 * single records use. A deleted record is still a row, so its last event goes to those who could see it. One query for
 * each kind in a batch serves all callers with the same condition and dozens with different ones, however many events
 * and streams there are.
 */
export function openVisibilityFilter(database: Database, gate: ConcurrencyLimit) {
  const sights = new WeakMap<Caller, Map<string, KindVisibility | undefined>>()

  function explainVisibility(caller: Caller, entity: string): KindVisibility | undefined {
    const known = sights.get(caller) ?? new Map<string, KindVisibility | undefined>()
    sights.set(caller, known)
    if (!known.has(entity)) known.set(entity, makeVisibility(caller, entity))
    return known.get(entity)
  }

  /**
   * Runs one query for all callers with the same condition. Different conditions wait in one queue and are evaluated
   * together.
   */
  function look(
    batch: EventBatch,
    { tenantId }: Caller,
    { kind, condition, key }: KindVisibility,
  ): Promise<VisibleRecords> {
    return batch.once(`seen ${key}`, () => {
      const { promise, resolve, reject } = Promise.withResolvers<VisibleRecords>()
      const line = batch.once(`line ${kind.entity}`, (): PendingQuery[] => [])
      line.push({ condition, resolve, reject })
      if (line.length === 1) void gate.run(() => answer(batch, tenantId, kind, line))
      return promise
    })
  }

  async function answer(batch: EventBatch, tenantId: Id, kind: Kind, line: PendingQuery[]): Promise<void> {
    await new Promise(resolve => setImmediate(resolve)) // lets the other streams that were woken with the first one join the queue
    const asked = line.splice(0, maxAtOnce)
    if (line.length > 0) void gate.run(() => answer(batch, tenantId, kind, line))
    try {
      const ids = [...new Set(batch.events.filter(e => e.entity === kind.entity).map(e => e.recordId))]
      const place = kind.byProperty.has('containerId') ? raw('t.container_id') : raw('null::uuid')
      const seen = join(asked.map(each => each.condition))
      const rows = await database.single(
        tenantCaller(tenantId),
        ctx => ctx.sql<{
          id: Id
          place: Id | null
          seen: (boolean | null)[]
        }>`select t.id, ${place} as place, array[${seen}] as seen
          from ${name(kind.table)} t where t.tenant_id = ${tenantId} and t.id = any(${ids}::uuid[])`,
      )
      for (const [i, { resolve }] of asked.entries())
        resolve(new Map(rows.filter(row => row.seen[i]).map(row => [row.id, row.place])))
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  /**
   * Returns the events of a batch that this caller may see, in order. Callers who see the same receive the same list.
   */
  return async function visibleEvents(
    batch: EventBatch,
    caller: Caller,
    wanted: EventFilter,
  ): Promise<readonly LiveEvent[]> {
    const { concerns, containerId } = wanted
    const events = concerns ? batch.events.filter(concerns) : batch.events
    if (events.length === 0) return events
    const sights = new Map<string, KindVisibility>()
    for (const { entity } of events) {
      const sight = sights.has(entity) ? undefined : explainVisibility(caller, entity)
      if (sight) sights.set(entity, sight)
    }
    const choose = async () => {
      const seen = new Map<string, VisibleRecords | 'all'>()
      for (const [entity, sight] of sights)
        seen.set(
          entity,
          containerId === undefined && isTrue(sight.condition) ? 'all' : await look(batch, caller, sight),
        )
      return events.filter(({ entity, recordId }) => {
        const found = seen.get(entity)
        if (found === undefined || found === 'all') return found === 'all'
        const place = found.get(recordId)
        if (place === undefined) return false
        return containerId === undefined || place === containerId || recordId === containerId
      })
    }
    if (concerns || containerId !== undefined) return await choose()
    const key = [...sights.values()].map(each => each.key).join()
    return await batch.once(`shown ${key}`, async () => batch.same(await choose()))
  }
}

/** Whether a caller may read records of a kind at all. */
export function mayReadKind(caller: Caller, entity: string): boolean {
  const kind = kindNamed(entity)
  return kind !== undefined && (kind.placed ? maySomewhere : may)(caller, kind.permissions.read)
}

/** Events about things that are no record of a kind are visible to callers who may read the whole log. */
function makeVisibility(caller: Caller, entity: string): KindVisibility | undefined {
  const kind = kindNamed(entity)
  if (!kind || !mayReadKind(caller, entity)) return undefined
  const condition = kind.historyVisible(caller, t)
  const { text, values } = render(condition)
  return { kind, condition, key: JSON.stringify([entity, text, values]) }
}

function isTrue(condition: Sql): boolean {
  return condition.values.length === 0 && condition.strings.join('') === 'true'
}
