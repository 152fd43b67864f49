import type { Id } from '../../../kernel/id.ts'
import type { LogPosition } from '../log-position.ts'
import { type LiveEvent, sseFrame } from './live-event.ts'

/** A change set of so many records that it is reported by one message instead of its events. */
export interface LargeChange {
  changeSetId: Id
  /** The message stands for its events after this position, up to its own. */
  after: LogPosition
  position: LogPosition
  entities: readonly string[]
}

/** Consecutive events: everything between two positions of the log. */
export class EventBatch {
  readonly after: LogPosition
  readonly upTo: LogPosition
  readonly events: readonly LiveEvent[]
  /** The large changes whose events are left out. */
  readonly large: readonly LargeChange[]
  readonly #worked = new Map<string, unknown>()
  readonly #bytes = new WeakMap<readonly LiveEvent[], Buffer>()

  constructor(after: LogPosition, upTo: LogPosition, events: readonly LiveEvent[], large: readonly LargeChange[] = []) {
    this.after = after
    this.upTo = upTo
    this.events = events
    this.large = large
  }

  get isEmpty(): boolean {
    return this.events.length === 0 && this.large.length === 0
  }

  /** Computes a value once for all streams that need it. */
  once<T>(key: string, work: () => T): T {
    if (!this.#worked.has(key)) this.#worked.set(key, work())
    return this.#worked.get(key) as T
  }

  /** Returns the list of this batch that holds the same events, so that results computed from it are cached once. */
  same(events: readonly LiveEvent[]): readonly LiveEvent[] {
    const key = events.map(({ position, containerId }) => `${position.id}${containerId ?? ''}`).join()
    return this.once(`list ${key}`, () => events)
  }

  /** The events as they are sent; streams with the same list send the same bytes. */
  bytes(events: readonly LiveEvent[]): Buffer {
    const bytes = this.#bytes.get(events) ?? Buffer.from(events.map(each => sseFrame(each, each.text)).join(''))
    this.#bytes.set(events, bytes)
    return bytes
  }
}
