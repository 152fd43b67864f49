import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, may, maySomewhere, type Permission } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { onForget, tellForget } from '../../kernel/memory.ts'
import { isConnectionFault } from '../../kernel/postgres/sql-state.ts'
import { Refusal, Unavailable } from '../../kernel/refusal.ts'
import { concurrencyLimit } from './concurrency-limit.ts'
import type { EventBatch } from './event-batch.ts'
import { LogFollower } from './log-follower.ts'
import { SseConnection, type StreamRequest } from './sse-connection.ts'
import { openVisibilityFilter } from './visibility-filter.ts'
import { openWriteNotifications } from './write-notifications.ts'

export interface LiveOptions {
  database: Database
  authenticate: (request: FastifyRequest) => Promise<Caller>
  log: (line: Record<string, unknown>) => void
}

/** How many streams one caller may have open in one process, and all callers together. */
const maxPerCaller = 20
const maxOfAll = 5000

/** How many ms lie between two readings of a log at least. */
const fastest = 25

/** How many questions of streams go to the database at once: requests need it, too. */
const widest = 2

/** How often it is asked whether a caller may still be here, ms: what ends by itself ends no later. */
const recheck = 4000
/** The same when something about rights has changed, here or, told by its event, on another node. */
const recheckAtMost = 1000

interface Open {
  stream: SseConnection
  request: FastifyRequest
  allowed: (caller: Caller) => boolean
}

export type Live = ReturnType<typeof openLive>

/** Events to whoever may see them, as they are committed. */
export function openLive({ database, authenticate, log }: LiveOptions) {
  const gate = concurrencyLimit(widest)
  const seenIn = openVisibilityFilter(database, gate)
  const tails = new Map<Id, LogFollower>()
  const streams = new Set<Open>()
  const doubted = new Set<Id>()
  let closing = false
  const waking = openWriteNotifications(
    database,
    tenantId => {
      for (const tail of tails.values()) if (tenantId === undefined || tail.tenantId === tenantId) tail.wake()
    },
    ({ tenantId, userIds, entity, name }) => {
      for (const { stream } of streams)
        if (stream.tenantId === tenantId && userIds.includes(stream.caller.userId)) stream.sendNotice(entity, name)
    },
  )

  function tailOf(tenantId: Id): LogFollower {
    const known = tails.get(tenantId)
    if (known) return known
    const tail = new LogFollower(database, tenantId, {
      log,
      isSaturated: gate.isSaturated,
      minInterval: () => Math.max(fastest, streams.size / 10),
    })
    tail.onBatch = batch => hear(tenantId, batch)
    tails.set(tenantId, tail)
    waking.listen()
    return tail
  }

  /** Rights that another node has changed are forgotten here as soon as its event comes by. */
  function hear(tenantId: Id, { events }: EventBatch): void {
    if (events.some(event => kindNamed(event.entity)?.remembered)) void tellForget(tenantId, true)
  }

  const stopForgetting = onForget(tenantId => void doubted.add(tenantId))
  const soon = setInterval(() => {
    if (doubted.size === 0) return
    const tenants = new Set(doubted)
    doubted.clear()
    void review([...streams].filter(({ stream }) => tenants.has(stream.tenantId)))
  }, recheckAtMost).unref()
  let reviewing = false
  const regularly = setInterval(async () => {
    if (reviewing) return
    reviewing = true
    await review([...streams])
    reviewing = false
  }, recheck).unref()
  const beats = setInterval(() => {
    const now = Date.now()
    for (const { stream } of streams) stream.beat(now)
  }, 1000).unref()

  /** Whoever may not be here any more is shown out; the others go on with what they hold now. */
  async function review(some: readonly Open[]): Promise<void> {
    const queue = some.values()
    const work = async () => {
      for (const { stream, request, allowed } of queue) {
        try {
          stream.caller = await authenticate(request)
          if (!allowed(stream.caller)) stream.end()
        } catch (error) {
          if (error instanceof Refusal && error.status === 401) stream.end()
        }
      }
    }
    await Promise.all([work(), work()])
  }

  function refuseTooMany({ tenantId, userId }: Caller): void {
    if (closing || streams.size >= maxOfAll) throw new Unavailable('as many streams as this process bears are open')
    const own = [...streams].filter(
      ({ stream: { caller } }) => caller.userId === userId && caller.tenantId === tenantId,
    ).length
    if (own < maxPerCaller) return
    throw new Refusal(429, 'too-many-streams', `at most ${maxPerCaller} streams may be open at a time`, {
      headers: { 'retry-after': '5' },
    })
  }

  function dropTail(tenantId: Id): void {
    if ([...streams].some(({ stream }) => stream.tenantId === tenantId)) return
    tails.get(tenantId)?.close()
    tails.delete(tenantId)
  }

  return {
    /** Answers a request with events until it is ended: by the caller, by a limit, by lost rights or by the end of the service. */
    follow(
      request: FastifyRequest,
      reply: FastifyReply,
      caller: Caller,
      { permission, placed }: { permission: Permission; placed?: boolean },
      wanted: StreamRequest,
    ): FastifyReply {
      refuseTooMany(caller)
      reply.type('text/event-stream; charset=utf-8').headers({ 'x-accel-buffering': 'no', connection: 'close' })
      if (request.method === 'HEAD') return reply.send('')
      reply.hijack()
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>)
      const stream = new SseConnection(reply.raw, caller, wanted, {
        database,
        gate,
        seenIn,
        tail: () => tailOf(caller.tenantId),
      })
      const open: Open = { stream, request, allowed: one => (placed ? maySomewhere : may)(one, permission) }
      streams.add(open)
      reply.raw.on('close', () => {
        streams.delete(open)
        dropTail(caller.tenantId)
      })
      stream.run().catch(error => {
        // A database that is away for a moment ends all streams at once; whoever comes back goes on where they were.
        if (!closing && !isConnectionFault(error))
          log({ level: 'error', error: `a stream broke: ${error instanceof Error ? error.stack : error}` })
        reply.raw.destroy()
      })
      return reply
    },
    async close(): Promise<void> {
      closing = true
      stopForgetting()
      for (const timer of [soon, regularly, beats]) clearInterval(timer)
      for (const { stream } of streams) stream.end()
      for (const tail of tails.values()) tail.close()
      await waking.close()
    },
  }
}
