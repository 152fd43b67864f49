import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import { isAfter, type LogPosition } from '../log-position.ts'
import type { EventBatch } from './event-batch.ts'
import { endOfLog, readBatch } from './read-log.ts'

/** The maximum of events in one read, and of characters that are kept for streams that are slightly behind. */
const maxRead = 500
const maxKept = 4_000_000

/**
 * The maximal interval between two reads; ms. Notifications only make reads earlier: this interval guarantees that the
 * log is read.
 */
const longest = 1000

export interface LogFollowerOptions {
  log: (line: Record<string, unknown>) => void
  /**
   * The minimal interval between two reads; ms. It grows with the number of streams, so that each batch serves more
   * events.
   */
  minInterval: () => number
  /** Whether streams are still waiting to learn who sees the last batch. */
  isSaturated: () => boolean
}

/**
 * The end of one tenant's log as this process knows it. It is read once for all streams. A stream that falls behind
 * reads the log itself.
 */
export class LogFollower {
  readonly tenantId: Id
  readonly #database: Database
  readonly #options: LogFollowerOptions
  readonly #batches: EventBatch[] = []
  readonly #waiting = new Set<() => void>()
  #kept = 0
  #place: LogPosition | undefined
  #timer: NodeJS.Timeout | undefined
  #due = 0
  #lastRead = 0
  #reading = false
  #closed = false
  /** Called with each batch before any stream receives it. */
  onBatch: (batch: EventBatch) => void = () => {}

  constructor(database: Database, tenantId: Id, options: LogFollowerOptions) {
    this.#database = database
    this.tenantId = tenantId
    this.#options = options
    this.#schedule(0)
  }

  /** Returns what follows a position: a batch, `nothing` yet, or `gone` when it is no longer kept here. */
  next(place: LogPosition): EventBatch | 'nothing' | 'gone' {
    if (!this.#place || !isAfter(this.#place, place)) return 'nothing'
    const batch = this.#batches.find(each => isAfter(each.upTo, place))
    return batch && !isAfter(batch.after, place) ? batch : 'gone'
  }

  /** Resolves when there is something new, or when the signal is aborted. */
  async nextBatch(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#closed) return
    await new Promise<void>(resolve => {
      const done = () => {
        this.#waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      signal.addEventListener('abort', done)
    })
  }

  /** Schedules a read because something was written, but respects the minimal interval. */
  wake(): void {
    this.#schedule(Math.max(0, this.#lastRead + this.#options.minInterval() - performance.now()))
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#wakeWaiting()
  }

  #schedule(wait: number): void {
    const due = performance.now() + wait
    if (this.#closed || (this.#timer && this.#due <= due)) return
    clearTimeout(this.#timer)
    this.#due = due
    this.#timer = setTimeout(() => void this.#read(), wait)
  }

  async #read(): Promise<void> {
    this.#timer = undefined
    const { log, minInterval, isSaturated } = this.#options
    // While streams are still filtering the last batch, the next one grows: under load there are fewer queries per
    // event.
    const late = performance.now() - this.#lastRead > longest
    if (this.#reading || (isSaturated() && !late)) return this.#schedule(minInterval())
    this.#reading = true
    this.#lastRead = performance.now()
    let wait = longest
    try {
      if (!this.#place) {
        this.#place = (await endOfLog(this.#database, this.tenantId)).position
        this.#wakeWaiting() // streams before this position read up to it from the log
      }
      const { batch, full, unsettled } = await readBatch(this.#database, this.tenantId, this.#place, {
        limit: maxRead,
        folds: true,
      })
      if (!batch.isEmpty) this.#take(batch)
      if (full) wait = 0
      else if (unsettled) wait = minInterval()
    } catch (error) {
      log({ level: 'error', error: `reading the log: ${error instanceof Error ? error.message : error}` })
    }
    this.#reading = false
    this.#schedule(wait)
  }

  #take(batch: EventBatch): void {
    this.#place = batch.upTo
    this.#batches.push(batch)
    this.#kept += lengthOf(batch)
    while (this.#kept > maxKept && this.#batches.length > 1) {
      const [oldest] = this.#batches.splice(0, 1)
      if (oldest) this.#kept -= lengthOf(oldest)
    }
    if (!this.#closed) this.onBatch(batch)
    this.#wakeWaiting()
  }

  #wakeWaiting(): void {
    for (const done of [...this.#waiting]) done()
  }
}

function lengthOf({ events }: EventBatch): number {
  return events.reduce((sum, event) => sum + event.text.length, 0)
}
