import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, may, maySomewhere, type Permission } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { notifyForget, onForget } from '../../kernel/memory.ts'
import { isConnectionFault } from '../../kernel/postgres/sql-state.ts'
import { Refusal, Unavailable } from '../../kernel/refusal.ts'
import { concurrencyLimit } from './concurrency-limit.ts'
import type { EventBatch } from './event-batch.ts'
import { LogFollower } from './log-follower.ts'
import { SseConnection, type StreamRequest } from './sse-connection.ts'
import { openVisibilityFilter } from './visibility-filter.ts'
import { openWriteNotifications } from './write-notifications.ts'

interface LiveOptions {
  database: Database
  authenticate: (request: FastifyRequest) => Promise<Caller>
  log: (line: Record<string, unknown>) => void
}

/** The maximum of open streams in one process, for one caller and for all callers together. */
const maxPerCaller = 20
const maxOfAll = 5000

/** The minimal interval between two reads of a log; ms. */
const fastest = 25

/** The maximum of concurrent queries for streams: requests need the database, too. */
const widest = 2

/**
 * How often the permissions of a caller are checked; ms. Permissions that expire by time are noticed after this
 * interval at the latest.
 */
const recheck = 4000
/**
 * The minimal interval between two checks when permissions have changed, here or (known by its event) on another node.
 */
const recheckAtMost = 1000

interface Open {
  stream: SseConnection
  request: FastifyRequest
  allowed: (caller: Caller) => boolean
}

export type Live = ReturnType<typeof openLive>

/** Streams events, as they are committed, to the callers who may see them. */
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

  /** Clears the cached permissions that another node has changed as soon as its event is read. */
  function hear(tenantId: Id, { events }: EventBatch): void {
    if (events.some(event => kindNamed(event.entity)?.remembered)) void notifyForget(tenantId, true)
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

  /** Ends the streams of callers who lost their access; the others go on with their current permissions. */
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
    /**
     * Answers a request with events until the caller, a limit, lost permissions or the shutdown of the service ends it.
     */
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
        // A short outage of the database ends all streams at once. Clients reconnect and resume at their position, so
        // it is not logged for each.
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
