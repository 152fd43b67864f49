import type { ServerResponse } from 'node:http'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import type { Sql } from '../../kernel/sql.ts'
import { hiddenAmounts } from '../../records/amounts.ts'
import { mayReadKind } from '../event-visibility.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { EventBatch } from './log/event-batch.ts'
import { type LiveEvent, sseFrame, textShown } from './log/live-event.ts'
import type { LogFollower } from './log/log-follower.ts'
import { endOfLog, isFarBehind, type LogEnd, readBatch, wasCommitted } from './log/read-log.ts'
import { formatPosition, isAfter, type LogPosition, zeroId } from './log-position.ts'
import type { AnyNotice } from './private-notices.ts'
import type { EventFilter, openVisibilityFilter } from './visibility/visibility-filter.ts'

/** What a client wants to follow of the log. */
export interface StreamRequest extends EventFilter {
  /** The position up to which the client has read; undefined starts now. */
  after: LogPosition | undefined
  /** The SQL form of `concerns` for reading the log, as a further condition on the event `e`. */
  where?: Sql
  /**
   * Ends the stream after this number of events, or when all present events were sent; undefined goes on until the client
   * disconnects.
   */
  limit?: number | undefined
  /** Whether a large change comes as one message, and a client that is far behind is told to begin anew. */
  folds?: boolean
  /** The text that is sent first, without a position. */
  greeting?: string
  /** Whether the client wants notices about this kind of record, or about this record. */
  wantsNotices?: (entity: string, recordId?: Id) => boolean
  /** Replaces the text of the events; computed once for all streams with the same key. */
  rendered?: {
    key: string
    texts: (ctx: Context, events: readonly LiveEvent[]) => Promise<ReadonlyMap<LiveEvent, string>>
  }
}

/** How long a connection may make no progress before it is closed; ms. The client resumes at its position. */
const patience = 30_000
const heartbeat = 15_000
const maxRead = 200

type NoticeText = Pick<AnyNotice, 'entity' | 'name' | 'data'>

interface SseConnectionOptions {
  database: Database
  gate: ConcurrencyLimit
  seenIn: ReturnType<typeof openVisibilityFilter>
  tail: () => LogFollower
  /** The notices that follow for a caller from the events of a batch. */
  ownNoticesIn: (batch: EventBatch, caller: Caller) => Promise<readonly NoticeText[]>
}

/** One connection that sends events in the order of the log, each once. */
export class SseConnection {
  caller: Caller
  readonly #raw: ServerResponse
  readonly #follow: StreamRequest
  readonly #options: SseConnectionOptions
  readonly #ended = new AbortController()
  #place: LogPosition | undefined
  /** The end of the log from which the stream goes on, for a client that named no position or missed too much. */
  #start: LogEnd | undefined
  #sentPosition: LogPosition | undefined
  readonly #notices = new Set<string>()
  #lastWrite = Date.now()
  #left: number

  constructor(raw: ServerResponse, caller: Caller, follow: StreamRequest, options: SseConnectionOptions) {
    this.#raw = raw
    this.caller = caller
    this.#follow = follow
    this.#options = options
    this.#left = follow.limit ?? Number.POSITIVE_INFINITY
    raw.on('close', () => this.#ended.abort())
  }

  get tenantId(): Id {
    return this.caller.tenantId
  }

  /** Runs until there are no more events, or until it is ended. */
  async run(): Promise<void> {
    if (this.#follow.after) this.#place = this.#follow.after
    else await this.#startNow()
    await this.#write(`retry: 2000\n${this.#placeLine()}${this.#follow.greeting ?? ''}`)
    if (await this.#readBack()) await this.#followTail()
    this.end()
  }

  /**
   * Moves to the end of the log. A transaction that runs for long keeps the order of later ones open, so the position
   * may lie before events that the client can already read in its records: these are not sent.
   */
  async #startNow(): Promise<void> {
    this.#start = await endOfLog(this.#options.database, this.tenantId)
    this.#place = this.#start.position
  }

  /** Sends the events since its position from the log itself. Returns whether to go on. */
  async #readBack(): Promise<boolean> {
    const { database, gate } = this.#options
    const { folds = false, where } = this.#follow
    if (folds) await this.#skipIfFarBehind()
    for (let full = true; full && !this.#ended.signal.aborted; ) {
      const options = { limit: maxRead, folds, ...(where && !folds ? { where } : {}) }
      const read = await gate.run(() => readBatch(database, this.tenantId, this.#here, options))
      await this.#deliver(read.batch)
      full = read.full && this.#left > 0
    }
    return this.#follow.limit === undefined && !this.#ended.signal.aborted
  }

  /** A client that missed too much is told to read its records again, and goes on from now. */
  async #skipIfFarBehind(): Promise<void> {
    const { database, gate } = this.#options
    if (!(await gate.run(() => isFarBehind(database, this.tenantId, this.#here)))) return
    await this.#startNow()
    this.#sentPosition = this.#place
    await this.#write(`event: reset\nid: ${formatPosition(this.#here)}\ndata: {}\n\n`)
  }

  /** Sends the batches that all streams of this log share. */
  async #followTail(): Promise<void> {
    const tail = this.#options.tail()
    while (!this.#ended.signal.aborted) {
      const next = tail.next(this.#here)
      if (next === 'nothing') await tail.nextBatch(this.#ended.signal)
      else if (next === 'gone' || (next.large.length > 0 && !this.#follow.folds)) await this.#readBack()
      else await this.#deliver(next)
    }
  }

  async #deliver(batch: EventBatch): Promise<void> {
    if (this.#ended.signal.aborted) return
    const seen = await this.#options.seenIn(batch, this.caller, this.#follow)
    const all = !this.#start && !isAfter(this.#here, batch.after) && seen.length <= this.#left
    const fresh = all ? seen : seen.filter(event => this.#isNew(event)).slice(0, this.#left)
    this.#left -= fresh.length
    // When a limit ends the stream, the client resumes after the last event that was sent.
    this.#place = this.#left > 0 ? batch.upTo : (fresh.at(-1)?.position ?? batch.upTo)
    if (fresh.length > 0) {
      this.#sentPosition = fresh.at(-1)?.position
      await this.#write(await this.#bytes(batch, fresh))
    }
    if (this.#start && !isAfter({ xact: this.#start.next, id: zeroId }, this.#here)) this.#start = undefined
    if (!this.#follow.wantsNotices) return
    for (const each of await this.#options.ownNoticesIn(batch, this.caller)) this.sendNotice(each)
  }

  #isNew({ position }: LiveEvent): boolean {
    return isAfter(position, this.#here) && !(this.#start && wasCommitted(this.#start, position))
  }

  async #bytes(batch: EventBatch, events: readonly LiveEvent[]): Promise<Buffer | string> {
    const { rendered } = this.#follow
    const { database } = this.#options
    const { redaction } = database.services
    if (!rendered && redaction.hidesAnything(this.caller)) {
      const texts = await database.single(this.caller, ctx =>
        redaction.redactText(ctx, `[${events.map(event => textShown(this.caller, event)).join(',')}]`),
      )
      const shown: object[] = JSON.parse(texts)
      return events.map((event, i) => sseFrame(event, JSON.stringify(shown[i]))).join('')
    }
    if (!rendered && events.some(({ entity }) => hiddenAmounts(this.caller, entity).length > 0))
      return events.map(event => sseFrame(event, textShown(this.caller, event))).join('')
    if (!rendered) return batch.bytes(events)
    const { concerns } = this.#follow
    const wanted = concerns ? batch.events.filter(concerns) : batch.events
    const texts = await batch.once(`rendered ${rendered.key}`, () =>
      database.single(tenantCaller(this.tenantId), ctx => rendered.texts(ctx, wanted)),
    )
    return events.map(event => sseFrame(event, texts.get(event.origin) ?? event.origin.text)).join('')
  }

  wantsNotice(notice: Pick<AnyNotice, 'entity'> & { recordId?: Id }): boolean {
    const { entity, recordId } = notice
    if (!this.#follow.wantsNotices?.(entity, recordId) || this.#follow.limit !== undefined) return false
    return kindNamed(entity) === undefined || mayReadKind(this.caller, entity)
  }

  /** Sends a notice; several that are equal are sent as one. */
  sendNotice(notice: NoticeText & { recordId?: Id }): void {
    if (!this.wantsNotice(notice)) return
    this.#notices.add(`event: ${notice.name}\ndata: ${notice.data ?? '{}'}\n\n`)
    this.#sendNotices()
  }

  #sendNotices(): void {
    if (this.#notices.size === 0 || !this.#place || this.#raw.writableNeedDrain) return
    const frames = [...this.#notices].join('')
    this.#notices.clear()
    void this.#write(frames)
  }

  /** Proxies close idle connections, so a comment is sent; it also reports to the client how far a quiet log was read. */
  beat(now: number): void {
    this.#sendNotices()
    if (now - this.#lastWrite < heartbeat || this.#raw.writableNeedDrain) return
    void this.#write(`:\n${this.#placeLine()}`)
  }

  #placeLine(): string {
    if (this.#sentPosition === this.#place || !this.#place) return '\n'
    this.#sentPosition = this.#place
    return `id: ${formatPosition(this.#place)}\n\n`
  }

  get #here(): LogPosition {
    if (!this.#place) throw new Error('the stream has not started')
    return this.#place
  }

  /** Waits until the socket has accepted the content, so that a slow client never has more than one batch in memory. */
  async #write(content: string | Buffer): Promise<void> {
    if (this.#ended.signal.aborted) return
    this.#lastWrite = Date.now()
    if (this.#raw.write(content)) return
    await new Promise<void>(resolve => {
      const stuck = setTimeout(() => this.#raw.destroy(), patience)
      const free = () => {
        clearTimeout(stuck)
        this.#raw.off('drain', free)
        this.#ended.signal.removeEventListener('abort', free)
        resolve()
      }
      this.#raw.on('drain', free)
      this.#ended.signal.addEventListener('abort', free)
    })
  }

  end(): void {
    this.#ended.abort()
    this.#raw.end()
  }
}
