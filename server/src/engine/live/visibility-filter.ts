import type { Caller } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { render } from '../../kernel/sql.ts'
import { eventCondition, isTrue } from '../event-visibility.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { EventBatch, LiveEvent } from './event-batch.ts'
import { type KindVisibility, openVisibilityQueries, type VisibleRecords } from './visibility-queries.ts'

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
  const visibleRecords = openVisibilityQueries(database, gate)
  const visibilities = new WeakMap<Caller, Map<string, KindVisibility | undefined>>()

  function visibilityOf(caller: Caller, entity: string): KindVisibility | undefined {
    const known = visibilities.get(caller) ?? new Map<string, KindVisibility | undefined>()
    visibilities.set(caller, known)
    if (!known.has(entity)) known.set(entity, makeVisibility(caller, entity))
    return known.get(entity)
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
    const byEntity = new Map<string, KindVisibility>()
    for (const { entity } of events) {
      const visibility = byEntity.has(entity) ? undefined : visibilityOf(caller, entity)
      if (visibility) byEntity.set(entity, visibility)
    }
    const choose = async () => {
      const seen = new Map<string, VisibleRecords | 'all'>()
      for (const [entity, visibility] of byEntity)
        seen.set(
          entity,
          containerId === undefined && isTrue(visibility.condition)
            ? 'all'
            : await visibleRecords(batch, caller, visibility),
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
    const key = [...byEntity.values()].map(each => each.key).join()
    return await batch.once(`shown ${key}`, async () => batch.same(await choose()))
  }
}

/** Returns undefined if the caller sees no record of the kind. Events of an unknown kind of record are not streamed. */
function makeVisibility(caller: Caller, entity: string): KindVisibility | undefined {
  const found = eventCondition(caller, entity)
  if (!found) return undefined
  const { text, values } = render(found.condition)
  return { ...found, key: JSON.stringify([entity, text, values]) }
}
