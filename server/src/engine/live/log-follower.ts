import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { type EventBatch, endOfLog, readBatch } from './event-batch.ts'
import { isAfter, type LogPosition } from './log-position.ts'

/** How many events one reading takes; how many characters are kept for streams that are a little behind. */
const maxRead = 500
const maxKept = 4_000_000

/** Between two readings at most, ms. Waking is a courtesy; that the log is looked at in time is the truth. */
const longest = 1000

export interface LogFollowerOptions {
  log: (line: Record<string, unknown>) => void
  /** How many ms lie between two readings at least: the more streams there are, the more each batch must be worth. */
  minInterval: () => number
  /** Whether streams still have to ask who sees the last batch. */
  isSaturated: () => boolean
}

/**
 * The end of one tenant's log as this process knows it: read once for all streams, that of the chat on the screen and that
 * of the program beside it. A stream that was left behind reads the log by itself.
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
  /** Told of each batch before any stream is. */
  onBatch: (batch: EventBatch) => void = () => {}

  constructor(database: Database, tenantId: Id, options: LogFollowerOptions) {
    this.#database = database
    this.tenantId = tenantId
    this.#options = options
    this.#schedule(0)
  }

  /** What comes next behind a place: a batch; nothing yet; or something that is no longer kept here. */
  next(place: LogPosition): EventBatch | 'nothing' | 'gone' {
    if (!this.#place || !isAfter(this.#place, place)) return 'nothing'
    const batch = this.#batches.find(each => isAfter(each.upTo, place))
    return batch && !isAfter(batch.after, place) ? batch : 'gone'
  }

  /** Comes back when there is something new, or when the end was asked for. */
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

  /** Something was written: look soon, but not more often than is good. */
  wake(): void {
    this.#schedule(Math.max(0, this.#lastRead + this.#options.minInterval() - performance.now()))
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#tell()
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
    const { log, minInterval: pace, isSaturated: crowded } = this.#options
    // While streams still ask who sees the last batch, the next one grows: the more to do, the fewer questions for each event.
    const late = performance.now() - this.#lastRead > longest
    if (this.#reading || (crowded() && !late)) return this.#schedule(pace())
    this.#reading = true
    this.#lastRead = performance.now()
    let wait = longest
    try {
      if (!this.#place) {
        this.#place = await endOfLog(this.#database, this.tenantId)
        this.#tell() // whoever stands before this place reads up to it by themselves
      }
      const { batch, full, unsettled } = await readBatch(this.#database, this.tenantId, this.#place, { limit: maxRead })
      if (batch.events.length > 0) this.#take(batch)
      if (full) wait = 0
      else if (unsettled) wait = pace()
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
    this.#tell()
  }

  #tell(): void {
    for (const done of [...this.#waiting]) done()
  }
}

function lengthOf({ events }: EventBatch): number {
  return events.reduce((sum, event) => sum + event.text.length, 0)
}
