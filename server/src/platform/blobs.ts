import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Id, isId, newId } from '../kernel/id.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Settings } from './settings.ts'

/** Bytes that have come in and are safe on the disk, but belong to nobody yet. */
export interface Arrived {
  path: string
  size: number
  sha256: string
  /** The first bytes, which tell what it is. */
  head: Buffer
}

export type Blobs = ReturnType<typeof openBlobs>

declare module '../kernel/context.ts' {
  interface Services {
    /** Where bytes are kept. */
    blobs: Blobs
  }
}

const headLength = 4096

/**
 * Bytes by their hash, apart for each tenant: `<tenant>/<aa>/<bb>/<sha256>`. No name that anybody chose ever becomes
 * part of a path. The same bytes twice in a tenant are there once.
 */
export function openBlobs({ dataDir, fileLimit: limit }: Pick<Settings, 'dataDir' | 'fileLimit'>) {
  const directory = join(dataDir, 'files')
  const arrivals = join(directory, 'arriving')

  function place(tenantId: Id, sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('not a hash')
    return join(directory, tenantId, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  }

  /** Takes bytes in as they come. When it returns, they are on the disk; when it throws, nothing of them is. */
  async function arrive(bytes: AsyncIterable<Buffer>, most = limit): Promise<Arrived> {
    await mkdir(arrivals, { recursive: true, mode: 0o700 })
    const path = join(arrivals, newId())
    const handle = await open(path, 'wx', 0o600)
    try {
      const arrived = { path, ...(await write(handle, bytes, most)) }
      await handle.sync()
      return arrived
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await handle.close()
    }
  }

  /**
   * Gives the bytes their place for good. To be called before their row is written: a row must never be there without
   * its bytes, whatever happens in between. May be called again for the same arrival.
   */
  async function keep(tenantId: Id, { path, sha256 }: Arrived): Promise<void> {
    const target = place(tenantId, sha256)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    // Over what may be there already: it is the same bytes, and now they are fresh for the sweeper.
    await rename(path, target).catch(async error => {
      if (!isMissing(error) || !(await exists(target))) throw error
    })
    // The directories above may have been made a moment ago, by us or by somebody who is not through with this yet.
    for (let above = dirname(target); above.length >= dataDir.length; above = dirname(above)) await syncDirectory(above)
  }

  /** For an arrival that was not kept; one that was is no longer there. */
  async function discard({ path }: Arrived): Promise<void> {
    await rm(path, { force: true })
  }

  function read(tenantId: Id, sha256: string, range?: { start: number; end: number }): Readable {
    return createReadStream(place(tenantId, sha256), range ?? {})
  }

  async function size(tenantId: Id, sha256: string): Promise<number> {
    return (await stat(place(tenantId, sha256))).size
  }

  /** Hashes of a tenant that nobody has touched since: those among them without a row are leftovers. */
  async function* untouchedSince(tenantId: Id, moment: Date): AsyncGenerator<string> {
    for await (const path of filesBelow(join(directory, tenantId))) {
      if ((await touched(path)) < moment) yield path.slice(-64)
    }
  }

  /** Whose bytes are here. */
  async function owners(): Promise<Id[]> {
    const entries = await readdir(directory).catch(error => {
      if (isMissing(error)) return []
      throw error
    })
    return entries.filter(isId)
  }

  async function forget(tenantId: Id, sha256: string): Promise<void> {
    await rm(place(tenantId, sha256), { force: true })
  }

  /** Arrivals whose process died before it could keep or discard them. */
  async function forgetArrivals(before: Date): Promise<void> {
    for await (const path of filesBelow(arrivals)) if ((await touched(path)) < before) await rm(path, { force: true })
  }

  return { arrive, keep, discard, read, size, untouchedSince, owners, forget, forgetArrivals }
}

async function write(handle: FileHandle, bytes: AsyncIterable<Buffer>, limit: number): Promise<Omit<Arrived, 'path'>> {
  const hash = createHash('sha256')
  let size = 0
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > limit) throw new Refusal(413, 'too-large', `a file has at most ${limit} bytes here`)
    if (head.length < headLength) head = Buffer.concat([head, chunk]).subarray(0, headLength)
    hash.update(chunk)
    await handle.writeFile(chunk) // goes on where it is, and never stops half way
  }
  return { size, sha256: hash.digest('hex'), head }
}

/** A new name in a directory is only safe when the directory is on the disk as well. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return // has no such thing
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function* filesBelow(path: string): AsyncGenerator<string> {
  const directory = await opendir(path, { recursive: true }).catch(error => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (directory) for await (const entry of directory) if (entry.isFile()) yield join(entry.parentPath, entry.name)
}

/** When it was last written; what is gone meanwhile was touched just now. */
async function touched(path: string): Promise<Date> {
  return await stat(path).then(
    found => found.mtime,
    () => new Date(),
  )
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
