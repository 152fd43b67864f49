import { Readable } from 'node:stream'
import type { Agent } from 'undici'
import { failureOf, OutboundFailure } from './failure.ts'
import type { OutboundLimits } from './limits.ts'
import type { OutboundTransfer } from './outbound-call.ts'

/** The head of an answer, and its body as it comes. */
export interface TransferAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Readable
}

/** Sends one transfer. Throws `OutboundFailure` when no answer begins; a body that breaks off later is an error of its stream. */
export async function sendTransfer(
  agent: Agent,
  { method, url, headers, body }: OutboundTransfer,
  { stall }: Pick<OutboundLimits, 'stall'>,
): Promise<TransferAnswer> {
  const { origin, pathname, search } = new URL(url)
  const watch = stallWatch(stall)
  try {
    const reply = await agent.request({
      origin,
      path: pathname + search,
      method,
      headers: {
        ...headers,
        'user-agent': 'Gantry',
        ...(body ? { 'content-length': String(body.length) } : {}),
      },
      body: body ? Readable.from(watched(body.bytes, watch.progress), { objectMode: false }) : null,
      signal: watch.signal,
    })
    return { status: reply.statusCode, headers: reply.headers, body: reply.body }
  } catch (error) {
    throw failureOf(error, undefined)
  } finally {
    watch.stop()
  }
}

async function* watched(bytes: AsyncIterable<Uint8Array>, progress: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    progress()
    yield chunk
  }
  progress()
}

/** undici limits the time for an answer, and not the time for which a host takes none of the bytes sent. */
function stallWatch(most: number) {
  const controller = new AbortController()
  const late = () => controller.abort(new OutboundFailure('timeout', 'the host took too long to take the bytes'))
  let timer = setTimeout(late, most)
  return {
    signal: controller.signal,
    progress() {
      clearTimeout(timer)
      timer = setTimeout(late, most)
    },
    stop: () => clearTimeout(timer),
  }
}
