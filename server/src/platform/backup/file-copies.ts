import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { newId } from '../../kernel/id.ts'
import { UnusableBackup } from './unusable-backup.ts'

// Files are stored by their hash (platform/blobs.ts), so a copy can be checked without any other record.

/** The path of a file below `files`; it is named `<tenant>/<sha256>`. */
export function pathOf(file: string): string {
  const [tenant = '', sha256 = ''] = file.split('/')
  return join(tenant, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
}

/** Yields all files below a folder of this layout; uploads that have not arrived yet are none. */
export async function* filesIn(folder: string): AsyncGenerator<string> {
  const directory = await opendir(folder, { recursive: true }).catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!directory) return
  for await (const entry of directory) {
    const parts = relative(folder, join(entry.parentPath, entry.name)).split(sep)
    if (entry.isFile() && parts.length === 4 && /^[0-9a-f]{64}$/.test(entry.name)) yield `${parts[0]}/${entry.name}`
  }
}

/** Where files are copied to, and a folder of copies that were checked before, which may be linked instead. */
export interface CopyTarget {
  to: string
  checked?: string | undefined
}

/** Copies a file and checks the copy by its hash, or links one that was checked before. */
export async function storeFile(
  file: string,
  from: string,
  { to, checked }: CopyTarget,
): Promise<'copied' | 'linked' | 'missing'> {
  const [source, target] = [join(from, pathOf(file)), join(to, pathOf(file))]
  const size = await sizeOf(source)
  if (size === undefined) return 'missing'
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  if (checked && (await linked(join(checked, pathOf(file)), target, size))) return 'linked'
  return (await copyChecked(source, target)) ? 'copied' : 'missing'
}

/** The copy appears under its name complete and checked. Returns false when the source was removed at this moment. */
async function copyChecked(source: string, target: string): Promise<boolean> {
  const draft = `${target}.${newId()}`
  try {
    await copyFile(source, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await sync(draft)
    if ((await hashOf(draft)) !== target.slice(-64))
      throw new UnusableBackup(`${source} is damaged: its bytes do not have the hash that its name says`)
    await rename(draft, target)
    return true
  } catch (error) {
    await rm(draft, { force: true })
    if (isMissing(error)) return false
    throw error
  }
}

/** The SHA-256 of a file on the disk. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  const { size } = await stat(path)
  for await (const chunk of createReadStream(path, { highWaterMark: Math.min(1 << 18, size + 1) })) hash.update(chunk)
  return hash.digest('hex')
}

/** The size of a file; undefined if there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return await stat(path).then(
    found => found.size,
    error => {
      if (isMissing(error)) return undefined
      throw error
    },
  )
}

/** Not every file system has links, and a file can have a limited number of them. */
async function linked(earlier: string, target: string, size: number): Promise<boolean> {
  if ((await sizeOf(earlier)) !== size) return false
  return await link(earlier, target).then(
    () => true,
    () => false,
  )
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
