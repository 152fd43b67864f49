import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../kernel/access.ts'
import { Refusal, Unavailable } from '../../kernel/refusal.ts'
import type { SseConnection } from './sse-connection.ts'

/** An open stream, with what is needed to check the permissions of its caller again. */
export interface OpenStream {
  connection: SseConnection
  request: FastifyRequest
  allowed: (caller: Caller) => boolean
}

/** The maximum of open streams in one process, for one caller and for all callers together. */
const maxPerCaller = 20
const maxOfAll = 5000

/** Throws if the caller or this process has too many open streams. */
export function refuseTooManyStreams(streams: ReadonlySet<OpenStream>, { tenantId, userId }: Caller): void {
  if (streams.size >= maxOfAll) throw noMoreStreams()
  let own = 0
  for (const { connection } of streams)
    if (connection.caller.userId === userId && connection.caller.tenantId === tenantId) own++
  if (own < maxPerCaller) return
  throw new Refusal(429, 'too-many-streams', `at most ${maxPerCaller} streams may be open at a time`, {
    headers: { 'retry-after': '5' },
  })
}

/** The refusal of a process that accepts no further stream. */
export const noMoreStreams = () => new Unavailable('this process accepts no more streams at the moment')
