import type { Context } from '../../kernel/context.ts'
import type { Arrived } from '../../platform/bytes/blobs.ts'
import { refuseLine } from './read-lines.ts'

/** A file that is received in parts. */
export interface OpenBytes {
  sha256: string
  next: number
  push(piece: Buffer): Promise<void>
  arrived: Promise<Arrived>
  /** Discards the parts received so far. */
  abort(): Promise<void>
}

/** Receives the next part; after the last one, stores the file if its hash matches. */
export async function receiveBytes(
  ctx: Context,
  open: OpenBytes | undefined,
  value: Record<string, unknown>,
  number: number,
  kept: string[],
): Promise<OpenBytes | undefined> {
  const { bytes: sha256, part, data } = value
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256) || typeof data !== 'string')
    refuseLine(number, 'has no valid bytes')
  const current = open ?? beginBytes(ctx, sha256)
  if (current.sha256 !== sha256 || part !== current.next)
    refuseLine(number, 'is not the next part of the preceding bytes')
  current.next++
  await current.push(Buffer.from(data, 'base64'))
  if (data !== '') return current
  const arrived = await current.arrived
  if (arrived.sha256 !== sha256) {
    await ctx.services.blobs.discard(arrived)
    refuseLine(number, 'ends bytes that do not match their hash')
  }
  await ctx.services.storedBytes.keep(ctx, arrived)
  kept.push(sha256)
  return undefined
}

/** Opens a stream into the blob store with backpressure; an empty part ends it. */
function beginBytes(ctx: Context, sha256: string): OpenBytes {
  const { readable, writable } = new TransformStream<Buffer, Buffer>()
  const writer = writable.getWriter()
  const arrived = ctx.services.blobs.arrive(readable, Number.POSITIVE_INFINITY)
  arrived.catch(() => {}) // the next push reports the error
  return {
    sha256,
    next: 0,
    push: async piece => (piece.length === 0 ? await writer.close() : await writer.write(piece)),
    arrived,
    abort: () => writer.abort(new Error('the import was aborted')),
  }
}
