import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, may, maySomewhere, type Permission } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { isConnectionFault } from '../../kernel/postgres/sql-state.ts'
import { concurrencyLimit } from './concurrency-limit.ts'
import { openTenantLogs } from './log/tenant-logs.ts'
import { type OwnNotice, openNotices } from './send-notices.ts'
import { SseConnection, type StreamRequest } from './sse-connection.ts'
import { noMoreStreams, type OpenStream, refuseTooManyStreams } from './stream-limits.ts'
import { openPermissionReview } from './visibility/permission-review.ts'
import { openVisibilityFilter } from './visibility/visibility-filter.ts'
import { openWriteNotifications } from './write-notifications.ts'

interface LiveOptions {
  database: Database
  authenticate: (request: FastifyRequest) => Promise<Caller>
  log: (line: Record<string, unknown>) => void
  /** The changes in the log that their owner is also told of by a notice. */
  ownNotices?: readonly OwnNotice[]
}

/** The minimal interval between two reads of a log; ms. */
const minReadInterval = 25

/** The maximum of concurrent queries for streams: requests need the database, too. */
const maxQueries = 2

/** How often each stream checks whether a heartbeat is due; ms. */
const beatInterval = 1000

export type Live = ReturnType<typeof openLive>

/** Streams events, as they are committed, to the callers who may see them. */
export function openLive({ database, authenticate, log, ownNotices = [] }: LiveOptions) {
  const gate = concurrencyLimit(maxQueries)
  const seenIn = openVisibilityFilter(database, gate)
  const streams = new Set<OpenStream>()
  const notices = openNotices({ database, gate, own: ownNotices }, streams)
  const logs = openTenantLogs(database, {
    log,
    isSaturated: gate.isSaturated,
    minInterval: () => Math.max(minReadInterval, streams.size / 10),
  })
  const notifications = openWriteNotifications(database, logs.wake, notices.deliver)
  const permissionReview = openPermissionReview(streams, authenticate)
  const beats = setInterval(() => beatAll(streams), beatInterval).unref()
  let closing = false

  function followLog(tenantId: Id) {
    notifications.listen()
    return logs.follow(tenantId)
  }

  function remove(stream: OpenStream, tenantId: Id): void {
    streams.delete(stream)
    if (![...streams].some(({ connection }) => connection.tenantId === tenantId)) logs.stop(tenantId)
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
      if (closing) throw noMoreStreams()
      refuseTooManyStreams(streams, caller)
      reply.type('text/event-stream; charset=utf-8').headers({ 'x-accel-buffering': 'no', connection: 'close' })
      if (request.method === 'HEAD') return reply.send('')
      reply.hijack()
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>)
      const tail = () => followLog(caller.tenantId)
      const connection = new SseConnection(reply.raw, caller, wanted, {
        ...{ database, gate, seenIn, tail },
        ownNoticesIn: notices.ownNoticesIn,
      })
      const stream = { connection, request, allowed: (one: Caller) => (placed ? maySomewhere : may)(one, permission) }
      streams.add(stream)
      reply.raw.on('close', () => remove(stream, caller.tenantId))
      connection.run().catch(error => {
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
      permissionReview.close()
      clearInterval(beats)
      for (const { connection } of streams) connection.end()
      logs.close()
      await notifications.close()
    },
  }
}

function beatAll(streams: ReadonlySet<OpenStream>): void {
  const now = Date.now()
  for (const { connection } of streams) connection.beat(now)
}
