import type { Caller } from '../../../kernel/access.ts'
import type { Changes } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'
import { hiddenAmounts, withChangesShown } from '../../../records/amounts.ts'
import { formatPosition, type LogPosition } from '../log-position.ts'

/** An event as it was read from the log. */
export interface EventRow {
  xact: string
  id: Id
  kind: string
  entity: string
  recordId: Id
  changeSetId: Id
  text: string
}

/** An event as it is delivered: its position, the properties that filters use, and the text that is sent. */
export class LiveEvent {
  readonly position: LogPosition
  readonly kind: string
  readonly entity: string
  readonly recordId: Id
  readonly containerId: Id | undefined
  readonly text: string
  /** The name of a message that is not a single event of the log: `bulk`. */
  readonly name: string | undefined
  /** The event as it was read. */
  readonly origin: LiveEvent
  readonly #row: EventRow
  #changes: Changes | undefined
  readonly #placed = new Map<Id, LiveEvent>()

  constructor(row: EventRow, more: { containerId?: Id; name?: string; origin?: LiveEvent } = {}) {
    this.position = { xact: row.xact, id: row.id }
    this.kind = row.kind
    this.entity = row.entity
    this.recordId = row.recordId
    this.containerId = more.containerId
    this.name = more.name
    this.origin = more.origin ?? this
    this.#row = row
    this.text = more.containerId ? `{"containerId" : "${more.containerId}", ${row.text.slice(1)}` : row.text
  }

  /** Parsed on demand, because few streams need the changes. */
  get changes(): Changes {
    if (!this.#changes) {
      const { changes = {} }: { changes?: Changes } = JSON.parse(this.text)
      this.#changes = changes
    }
    return this.#changes
  }

  /** The event with the container of its record, which not every receiver may know; the same object for the same container. */
  in(containerId: Id | null | undefined): LiveEvent {
    if (!containerId) return this
    const placed = this.#placed.get(containerId) ?? new LiveEvent(this.#row, { containerId, origin: this })
    this.#placed.set(containerId, placed)
    return placed
  }
}

/** The text of an event without the amounts that the caller does not see. */
export function textShown(caller: Caller, { entity, text }: LiveEvent): string {
  return hiddenAmounts(caller, entity).length > 0 ? JSON.stringify(withChangesShown(caller, JSON.parse(text))) : text
}

/** Formats one event for `text/event-stream`. */
export function sseFrame({ position, name }: LiveEvent, data: string): string {
  return `${name ? `event: ${name}\n` : ''}id: ${formatPosition(position)}\ndata: ${data}\n\n`
}
