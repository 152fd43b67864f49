import type { Context } from '../../kernel/context.ts'
import type { Arrived } from '../../platform/blobs.ts'
import { refuseLine } from './read-lines.ts'

/** Bytes that are coming in, piece by piece. */
export interface OpenBytes {
  sha256: string
  next: number
  push(piece: Buffer): Promise<void>
  arrived: Promise<Arrived>
  /** Lets go of what has come so far. */
  abort(): Promise<void>
}

/** Takes the next piece; when the last one has come and the hash is right, the bytes get their place. */
export async function receiveBytes(
  ctx: Context,
  open: OpenBytes | undefined,
  value: Record<string, unknown>,
  number: number,
  kept: string[],
): Promise<OpenBytes | undefined> {
  const { bytes: sha256, part, data } = value
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256) || typeof data !== 'string')
    refuseLine(number, 'does not tell its bytes')
  const current = open ?? beginBytes(ctx, sha256)
  if (current.sha256 !== sha256 || part !== current.next)
    refuseLine(number, 'is not the next part of the bytes before it')
  current.next++
  await current.push(Buffer.from(data, 'base64'))
  if (data !== '') return current
  const arrived = await current.arrived
  if (arrived.sha256 !== sha256) {
    await ctx.services.blobs.discard(arrived)
    refuseLine(number, 'ends bytes that are not what their hash says')
  }
  await ctx.services.blobs.keep(ctx.caller.tenantId, arrived)
  kept.push(sha256)
  return undefined
}

/** A piece is taken in before the next one is asked for; an empty one is the end. */
function beginBytes(ctx: Context, sha256: string): OpenBytes {
  const { readable, writable } = new TransformStream<Buffer, Buffer>()
  const writer = writable.getWriter()
  const arrived = ctx.services.blobs.arrive(readable, Number.POSITIVE_INFINITY)
  arrived.catch(() => {}) // told to whoever pushes the next piece
  return {
    sha256,
    next: 0,
    push: async piece => (piece.length === 0 ? await writer.close() : await writer.write(piece)),
    arrived,
    abort: () => writer.abort(new Error('the rest does not come')),
  }
}
