import type { Caller } from '../../../kernel/access.ts'
import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import { render } from '../../../kernel/sql.ts'
import { eventCondition, isTrue } from '../../event-visibility.ts'
import { openBulkMessages } from '../bulk-message.ts'
import type { ConcurrencyLimit } from '../concurrency-limit.ts'
import type { EventBatch } from '../log/event-batch.ts'
import type { LiveEvent } from '../log/live-event.ts'
import { isAfter } from '../log-position.ts'
import { none, placeOf } from './event-place.ts'
import { type KindVisibility, openVisibilityQueries, type VisibleRecords } from './visibility-queries.ts'

export interface EventFilter {
  /** Selects the events that are wanted; all if omitted. */
  concerns?: ((event: LiveEvent) => boolean) | undefined
  /** Selects the kinds of records that are wanted in messages about large changes; all if omitted. */
  concernsKind?: ((entity: string) => boolean) | undefined
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
  const bulkMessage = openBulkMessages(database, gate)
  const visibilities = new WeakMap<Caller, Map<string, KindVisibility | undefined>>()

  const hidesContainers = (caller: Caller) => database.services.redaction.hidesSomewhere(caller, 'Item', 'containerId')

  function visibilityOf(caller: Caller, entity: string): KindVisibility | undefined {
    const known = visibilities.get(caller) ?? new Map<string, KindVisibility | undefined>()
    visibilities.set(caller, known)
    if (!known.has(entity)) known.set(entity, makeVisibility(caller, entity, !hidesContainers(caller)))
    return known.get(entity)
  }

  async function visibleOnes(
    batch: EventBatch,
    caller: Caller,
    { concerns, containerId }: EventFilter,
  ): Promise<readonly LiveEvent[]> {
    const events = concerns ? batch.events.filter(concerns) : batch.events
    if (events.length === 0) return events
    const byEntity = new Map<string, KindVisibility>()
    for (const { entity } of events) {
      const visibility = byEntity.has(entity) ? undefined : visibilityOf(caller, entity)
      if (visibility) byEntity.set(entity, visibility)
    }
    const choose = async () => {
      const seen = new Map<string, VisibleRecords>()
      for (const [entity, visibility] of byEntity)
        if (!visibility.isTrivial) seen.set(entity, await visibleRecords(batch, caller, visibility))
      return events.flatMap(event => {
        const { entity, recordId } = event
        const place = seen.get(entity)?.get(recordId)
        if (place !== undefined)
          return containerId === undefined || place === containerId || recordId === containerId ? event.in(place) : []
        // A record that was removed for good is known to have been visible only if all of its kind are.
        const all = isTrue(byEntity.get(entity)?.condition)
        return all && containerId === undefined ? event : []
      })
    }
    if (concerns || containerId !== undefined) return await choose()
    const key = [...byEntity.values()].map(each => each.key).join()
    return await batch.once(`shown ${key}`, async () => batch.same(await choose()))
  }

  async function bulkMessages(batch: EventBatch, caller: Caller, wanted: EventFilter): Promise<LiveEvent[]> {
    const { concernsKind = () => true, containerId } = wanted
    const messages: LiveEvent[] = []
    for (const large of batch.large) {
      const entities = large.entities.filter(concernsKind)
      const message = await bulkMessage(batch, caller, large, {
        visibilities: entities.flatMap(entity => visibilityOf(caller, entity) ?? []),
        containerId,
        hidesContainers: hidesContainers(caller),
      })
      if (message) messages.push(message)
    }
    return messages
  }

  /**
   * Returns the events of a batch that this caller may see, in order, and the messages about large changes among them.
   * Callers who see the same receive the same list.
   */
  return async function visibleEvents(
    batch: EventBatch,
    caller: Caller,
    wanted: EventFilter,
  ): Promise<readonly LiveEvent[]> {
    const events = await visibleOnes(batch, caller, wanted)
    if (batch.large.length === 0) return events
    const messages = await bulkMessages(batch, caller, wanted)
    return [...events, ...messages].sort((a, b) => (isAfter(a.position, b.position) ? 1 : -1))
  }
}

/** Returns undefined if the caller sees no record of the kind. Events of an unknown kind of record are not streamed. */
function makeVisibility(caller: Caller, entity: string, withItems: boolean): KindVisibility | undefined {
  const found = eventCondition(caller, entity)
  if (!found) return undefined
  const place = placeOf(caller, found.kind, withItems)
  const parts = [found.condition, place].map(render).map(({ text, values }) => [text, values])
  const isTrivial = isTrue(found.condition) && place === none
  return { ...found, place, isTrivial, key: JSON.stringify([entity, ...parts]) }
}
