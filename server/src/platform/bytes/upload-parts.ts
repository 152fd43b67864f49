import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Id, isId, newId } from '../../kernel/id.ts'
import { diskFull, diskOf } from '../disk/disk.ts'
import type { Settings } from '../settings.ts'
import { syncDirectory } from './blobs.ts'
import { namesIn } from './thumbs.ts'

type UploadParts = ReturnType<typeof openUploadParts>

declare module '../../kernel/context.ts' {
  interface Services {
    /** The parts of uploads that take several requests. */
    uploadParts: UploadParts
  }
}

/** An upload of a tenant. */
export interface UploadPlace {
  tenantId: Id
  uploadId: Id
}

/** A part that is being written. */
export interface NewPart {
  readonly id: Id
  readonly size: number
  write(chunk: Buffer): Promise<void>
  /** Closes the part; when it returns, its bytes and its name are on the disk. */
  sync(): Promise<void>
  discard(): Promise<void>
  /** The hash of its bytes, in the algorithm that was asked for. */
  digest(): Buffer
}

/**
 * Stores the parts of uploads: `<tenant>/<upload>/<part>`. Each request writes parts of its own, so that two requests at once cannot
 * mix their bytes. They are no part of a backup: an upload that is not finished when a backup is restored begins again.
 */
export function openUploadParts({
  dataDir,
  minFreeBytes = 0,
}: Pick<Settings, 'dataDir'> & Partial<Pick<Settings, 'minFreeBytes'>>) {
  const directory = join(dataDir, 'uploads')
  const disk = diskOf({ dataDir, minFreeBytes })

  function folderOf({ tenantId, uploadId }: UploadPlace): string {
    if (!isId(tenantId) || !isId(uploadId)) throw new Error('not a tenant or not an upload')
    return join(directory, tenantId, uploadId)
  }

  async function create(upload: UploadPlace, algorithm?: string): Promise<NewPart> {
    const folder = folderOf(upload)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const id = newId()
    const path = join(folder, id)
    const handle = await open(path, 'wx', 0o600)
    return newPart({ id, path, handle, hash: algorithm === undefined ? undefined : createHash(algorithm) })
  }

  function newPart({
    id,
    path,
    handle,
    hash,
  }: {
    id: Id
    path: string
    handle: FileHandle
    hash: Hash | undefined
  }): NewPart {
    let size = 0
    let digest: Buffer | undefined
    return {
      id,
      get size() {
        return size
      },
      async write(chunk) {
        if (await disk.isFull()) throw diskFull()
        await handle.writeFile(chunk) // appends, and always writes the whole chunk
        hash?.update(chunk)
        size += chunk.length
      },
      async sync() {
        await handle.sync()
        await handle.close()
        for (let above = dirname(path); above.length >= dataDir.length; above = dirname(above))
          await syncDirectory(above)
      },
      async discard() {
        await handle.close()
        await rm(path, { force: true })
      },
      digest() {
        if (!hash) throw new Error('no hash was asked for')
        digest ??= hash.digest()
        return digest
      },
    }
  }

  /** Yields the bytes of parts, one after another. */
  async function* read(upload: UploadPlace, ids: readonly Id[]): AsyncGenerator<Buffer> {
    for (const id of ids) yield* createReadStream(join(folderOf(upload), id), { highWaterMark: 1 << 18 })
  }

  /** Whether all these parts are on the disk; after the restore of a backup they are not. */
  async function has(upload: UploadPlace, ids: readonly Id[]): Promise<boolean> {
    const names = new Set(await namesIn(folderOf(upload)))
    return ids.every(id => names.has(id))
  }

  async function forget(upload: UploadPlace): Promise<void> {
    await rm(folderOf(upload), { recursive: true, force: true })
  }

  async function forgetTenant(tenantId: Id): Promise<void> {
    if (!isId(tenantId)) throw new Error('not a tenant')
    await rm(join(directory, tenantId), { recursive: true, force: true })
  }

  /** Returns the uploads that have had no new part since `moment`. */
  async function untouchedSince(moment: Date): Promise<UploadPlace[]> {
    const found: UploadPlace[] = []
    for (const tenantId of (await namesIn(directory)).filter(isId))
      for (const uploadId of (await namesIn(join(directory, tenantId))).filter(isId)) {
        const folder = await stat(folderOf({ tenantId, uploadId })).catch(() => undefined)
        if (folder && folder.mtime < moment) found.push({ tenantId, uploadId })
      }
    return found
  }

  return { create, read, has, forget, forgetTenant, untouchedSince }
}
