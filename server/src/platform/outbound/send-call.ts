import type { Agent } from 'undici'
import { deadline } from './deadline.ts'
import { failureOf, tooLarge } from './failure.ts'
import type { OutboundLimits } from './limits.ts'
import type { OutboundCall } from './outbound-call.ts'
import { retryAfterOf, validatorOf } from './response-headers.ts'

/** What is read of every answer; `onChunk` receives the body. */
interface CallOutcome {
  status: number
  ms: number
  type: string
  etag: string
  lastModified: string
  retryAfter: number | undefined
}

/** Sends one call within its limits of time and size. Throws `OutboundFailure` when there is no complete answer. */
export async function sendCall(
  agent: Agent,
  { method, url, headers, body, maxBytes }: OutboundCall,
  limits: OutboundLimits,
  onChunk: (chunk: Buffer) => unknown = () => {},
): Promise<CallOutcome> {
  const { origin, pathname, search } = new URL(url)
  const began = performance.now()
  const clock = deadline(limits)
  const maxLength = Math.min(maxBytes ?? limits.size, limits.maxSize)
  let status: number | undefined
  let length = 0
  try {
    const reply = await agent.request({
      origin,
      path: pathname + search,
      method,
      headers: { ...headers, 'user-agent': 'Gantry' },
      body: body ?? null,
      signal: clock.signal,
    })
    status = reply.statusCode
    clock.bodyBegins()
    // Most callers do not need the body, but its size is always checked.
    for await (const chunk of reply.body) {
      length += chunk.length
      if (length > maxLength) throw tooLarge(maxLength)
      onChunk(chunk)
    }
    return {
      status,
      ms: Math.round(performance.now() - began),
      type: String(reply.headers['content-type'] ?? ''),
      etag: validatorOf(reply.headers.etag),
      lastModified: validatorOf(reply.headers['last-modified']),
      retryAfter: retryAfterOf(reply.headers['retry-after']),
    }
  } catch (error) {
    throw failureOf(error, status)
  } finally {
    clock.stop()
  }
}
