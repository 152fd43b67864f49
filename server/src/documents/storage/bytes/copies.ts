import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ByteRange, FoundBytes } from '../../../platform/bytes/stored-bytes.ts'
import { type ObjectContent, StoreFailure } from '../../../platform/object-store/object-store.ts'
import { keyOf, openStore } from '../open-store.ts'
import { outboundStorages } from '../outbound-storage.ts'

/** The bytes at one place: the disk of the service, or a store. */
export interface Copy extends FoundBytes {
  put(content: ObjectContent): Promise<void>
  remove(): Promise<void>
}

/** Bytes whose hash is not the one that they are stored under. */
export class ChecksumMismatch extends Error {}

/** Returns the copy at a place, whether it exists or not; null is the disk. */
export async function copyAt(ctx: Context, storageId: Id | null, sha256: string): Promise<Copy> {
  if (storageId === null) return diskCopy(ctx, sha256)
  const storage = await outboundStorages.get(ctx, storageId, { deleted: true })
  const store = await openStore(ctx, storage)
  const key = keyOf(storage, ctx.caller.tenantId, sha256)
  return {
    open: range => store.get(key, range),
    size: () => store.size(key),
    put: content => store.put(key, content),
    remove: () => store.remove(key),
  }
}

function diskCopy({ caller: { tenantId }, services: { blobs } }: Context, sha256: string): Copy {
  const size = () =>
    blobs.size(tenantId, sha256).catch(error => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
  return {
    size,
    async open(range) {
      if ((await size()) === undefined) throw new StoreFailure('missing', 'the bytes are not on the disk')
      return blobs.read(tenantId, sha256, range)
    },
    async put({ read }) {
      const arrived = await blobs.arrive(await read(), Number.POSITIVE_INFINITY)
      try {
        if (arrived.sha256 !== sha256) throw new ChecksumMismatch(`the bytes of ${sha256} are damaged`)
        await blobs.keep(tenantId, arrived)
      } finally {
        await blobs.discard(arrived)
      }
    },
    remove: () => blobs.forget(tenantId, sha256),
  }
}

/** Reads from the first copy that answers; throws `StoreFailure` if none does. */
export function firstOf(copies: readonly FoundBytes[]): FoundBytes {
  async function first<T>(ask: (copy: FoundBytes) => Promise<T | undefined>): Promise<T | undefined> {
    let failure: StoreFailure | undefined
    for (const copy of copies) {
      try {
        const answer = await ask(copy)
        if (answer !== undefined) return answer
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error
        if (error.fault !== 'missing') failure ??= error
      }
    }
    if (failure) throw failure
    return undefined
  }
  return {
    size: () => first(copy => copy.size()),
    async open(range?: ByteRange): Promise<Readable> {
      const opened = await first(copy => copy.open(range))
      if (!opened) throw new StoreFailure('missing', 'the bytes are lost')
      return opened
    },
  }
}

/** The same bytes for a request: a store that fails is 503. Who asks learns nothing of the store; its `health` tells the admins. */
export function refusing({ open, size }: FoundBytes): FoundBytes {
  const refuse = (error: unknown): never => {
    if (!(error instanceof StoreFailure)) throw error
    if (error.fault === 'missing') throw new Error('the bytes of a file are lost') // gives 500 and a line in the log
    throw new Refusal(503, 'storage-unavailable', 'the store of the files does not answer, try again shortly', {
      headers: { 'retry-after': '30' },
    })
  }
  return { open: range => open(range).catch(refuse), size: () => size().catch(refuse) }
}

/** Reads a copy to its end, and returns the hash of its bytes. */
export async function hashOf(copy: FoundBytes): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await copy.open()) hash.update(chunk)
  return hash.digest('hex')
}
