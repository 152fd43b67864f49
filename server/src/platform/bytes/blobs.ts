import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Id, isId, newId } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { storeFile } from '../backup/file-copies.ts'
import { type Disk, diskFull, diskOf } from '../disk/disk.ts'
import type { Settings } from '../settings.ts'
import { placesIn } from '../wal-archive/wal-archive.ts'

/** Uploaded bytes that are safe on the disk, but belong to no record yet. */
export interface Arrived {
  path: string
  size: number
  sha256: string
  /** The first bytes, by which the media type is detected. */
  head: Buffer
}

export type Blobs = ReturnType<typeof openBlobs>

declare module '../../kernel/context.ts' {
  interface Services {
    /** The storage of file contents. */
    blobs: Blobs
  }
}

const headLength = 4096

/**
 * Stores bytes by their hash, separately for each tenant: `<tenant>/<aa>/<bb>/<sha256>`. No name that a user chose ever
 * becomes part of a path. Equal bytes are stored once per tenant.
 */
export function openBlobs({
  dataDir,
  fileLimit: limit,
  walArchive,
  minFreeBytes = 0,
}: Pick<Settings, 'dataDir' | 'fileLimit'> & Partial<Pick<Settings, 'walArchive' | 'minFreeBytes'>>) {
  const directory = join(dataDir, 'files')
  const arrivals = join(directory, 'arriving')
  const disk = diskOf({ dataDir, minFreeBytes })

  function place(tenantId: Id, sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('not a hash')
    return join(directory, tenantId, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  }

  /** Stores incoming bytes. When it returns, they are on the disk; when it throws, nothing of them is left. */
  async function arrive(bytes: AsyncIterable<Buffer>, most = limit): Promise<Arrived> {
    await mkdir(arrivals, { recursive: true, mode: 0o700 })
    const path = join(arrivals, newId())
    const handle = await open(path, 'wx', 0o600)
    try {
      const arrived = { path, ...(await write(handle, bytes, most, disk)) }
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
   * Moves the bytes to their final path. It must be called before their row is written, because a row must never exist
   * without its bytes, even after a crash, and neither in a restore from the archive. It may be called again for the same
   * upload.
   */
  async function keep(tenantId: Id, { path, sha256 }: Arrived): Promise<void> {
    const target = place(tenantId, sha256)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    // The rename may replace an existing file: its bytes are the same, and its new time protects it from the sweeper.
    await rename(path, target).catch(async error => {
      if (!isMissing(error) || !(await exists(target))) throw error
    })
    // The directories above may be new, created by this process or by another one that has not synced them yet.
    for (let above = dirname(target); above.length >= dataDir.length; above = dirname(above)) await syncDirectory(above)
    if (walArchive) await storeFile(`${tenantId}/${sha256}`, directory, { to: placesIn(walArchive).files })
  }

  /** Removes an upload that was not kept; for one that was kept it does nothing. */
  async function discard({ path }: Arrived): Promise<void> {
    await rm(path, { force: true })
  }

  function read(tenantId: Id, sha256: string, range?: { start: number; end: number }): Readable {
    return createReadStream(place(tenantId, sha256), range ?? {})
  }

  async function size(tenantId: Id, sha256: string): Promise<number> {
    return (await stat(place(tenantId, sha256))).size
  }

  /** Yields the hashes of a tenant that were not touched since `moment`: those without a row are leftovers. */
  async function* untouchedSince(tenantId: Id, moment: Date): AsyncGenerator<string> {
    for await (const path of filesBelow(join(directory, tenantId))) {
      if ((await touched(path)) < moment) yield path.slice(-64)
    }
  }

  /** Returns the tenants that have bytes here. */
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

  /** Removes all bytes of a tenant, and returns how many files they were. */
  async function forgetTenant(tenantId: Id): Promise<number> {
    if (!isId(tenantId)) throw new Error('not a tenant')
    let files = 0
    for await (const _ of filesBelow(join(directory, tenantId))) files++
    await rm(join(directory, tenantId), { recursive: true, force: true })
    return files
  }

  /** Removes uploads whose process died before it could keep or discard them. */
  async function forgetArrivals(before: Date): Promise<void> {
    for await (const path of filesBelow(arrivals)) if ((await touched(path)) < before) await rm(path, { force: true })
  }

  return { limit, arrive, keep, discard, read, size, untouchedSince, owners, forget, forgetTenant, forgetArrivals }
}

async function write(
  handle: FileHandle,
  bytes: AsyncIterable<Buffer>,
  limit: number,
  disk: Disk,
): Promise<Omit<Arrived, 'path'>> {
  const hash = createHash('sha256')
  let size = 0
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > limit) throw new Refusal(413, 'too-large', `a file may have at most ${limit} bytes`)
    if (await disk.isFull()) throw diskFull()
    if (head.length < headLength) head = Buffer.concat([head, chunk]).subarray(0, headLength)
    hash.update(chunk)
    await handle.writeFile(chunk) // appends, and always writes the whole chunk
  }
  return { size, sha256: hash.digest('hex'), head }
}

/** A new name in a directory survives a power cut only when the directory itself was synced. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return // Windows cannot sync a directory
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Yields the paths of all files below a folder, which need not exist. */
export async function* filesBelow(path: string): AsyncGenerator<string> {
  const directory = await opendir(path, { recursive: true }).catch(error => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (directory) for await (const entry of directory) if (entry.isFile()) yield join(entry.parentPath, entry.name)
}

/** Returns the time of the last write; a file that is gone meanwhile counts as touched now. */
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

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
