import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Id, isId, newId } from '../../kernel/id.ts'
import { diskOf } from '../disk/disk.ts'
import type { Settings } from '../settings.ts'
import { filesBelow, isMissing } from './blobs.ts'

export type Thumbs = ReturnType<typeof openThumbs>

declare module '../../kernel/context.ts' {
  interface Services {
    /** The small pictures that were made of files. */
    thumbs: Thumbs
  }
}

/**
 * Stores thumbs by the hash of the file that they show, in a folder beside the files: `<tenant>/<aa>/<bb>/<sha256>-<size>.webp`.
 * They are no part of a backup, because they can be made again.
 */
export function openThumbs({
  dataDir,
  minFreeBytes = 0,
}: Pick<Settings, 'dataDir'> & Partial<Pick<Settings, 'minFreeBytes'>>) {
  const directory = join(dataDir, 'thumbs')
  const disk = diskOf({ dataDir, minFreeBytes })

  function folderOf(tenantId: Id, sha256: string): string {
    if (!isId(tenantId) || !isHash(sha256)) throw new Error('not a tenant or not a hash')
    return join(directory, tenantId, sha256.slice(0, 2), sha256.slice(2, 4))
  }

  const place = (tenantId: Id, sha256: string, size: number) =>
    join(folderOf(tenantId, sha256), `${sha256}-${size}.webp`)

  async function read(tenantId: Id, sha256: string, size: number): Promise<Buffer | undefined> {
    return await readFile(place(tenantId, sha256, size)).catch(error => {
      if (isMissing(error)) return undefined
      throw error
    })
  }

  /** Stores a thumb, unless the disk is full: then it is made again next time. */
  async function keep(tenantId: Id, sha256: string, size: number, bytes: Buffer): Promise<void> {
    if (await disk.isFull()) return
    const target = place(tenantId, sha256, size)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const arriving = `${target}.${newId()}`
    try {
      await writeFile(arriving, bytes, { mode: 0o600, flush: true })
      await rename(arriving, target)
    } catch (error) {
      await rm(arriving, { force: true })
      throw error
    }
  }

  /** Returns the tenants that have thumbs. */
  async function owners(): Promise<Id[]> {
    return (await namesIn(directory)).filter(isId)
  }

  /** Yields the hashes of the files of a tenant that have thumbs; one with several may come several times. */
  async function* hashes(tenantId: Id): AsyncGenerator<string> {
    for await (const path of filesBelow(join(directory, tenantId))) yield basename(path).slice(0, 64)
  }

  /** Removes all thumbs of a file. */
  async function forget(tenantId: Id, sha256: string): Promise<void> {
    const folder = folderOf(tenantId, sha256)
    for (const name of await namesIn(folder)) if (name.startsWith(sha256)) await rm(join(folder, name), { force: true })
  }

  async function forgetTenant(tenantId: Id): Promise<void> {
    if (!isId(tenantId)) throw new Error('not a tenant')
    await rm(join(directory, tenantId), { recursive: true, force: true })
  }

  return { read, keep, owners, hashes, forget, forgetTenant }
}

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text)

/** The names in a folder, which need not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(error => {
    if (isMissing(error)) return []
    throw error
  })
}
