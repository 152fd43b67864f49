import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

// Backups are folders named by their time. One that is being written, or removed, has another name.

const complete = /^gantry-\d{4}-\d\d-\d\dT[\d-]+Z$/
const unfinished = 'unfinished-'
const day = 86_400_000

/** Returns the complete backups in a folder, the oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : []
  return names.filter(name => complete.test(name)).sort()
}

/** Returns when a backup began, by the name of its folder. */
export function timeOfBackup(name: string): Date {
  return new Date(name.slice('gantry-'.length).replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/, 'T$1:$2:$3.$4Z'))
}

/** Fills a new folder; it gets its final name only when it is complete, and nothing is ever overwritten. */
export async function writeFolder<T>(
  folder: string,
  fill: (path: string) => Promise<T>,
): Promise<{ path: string } & T> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeAbandoned(folder)
  const name = `gantry-${new Date().toISOString().replace(/[:.]/g, '-')}`
  const [draft, path] = [join(folder, `${unfinished}${name}-${process.pid}`), join(folder, name)]
  await mkdir(draft, { mode: 0o700 })
  try {
    const result = await fill(draft)
    if (existsSync(path)) throw new Error(`${path} exists already`)
    await rename(draft, path)
    await syncFolder(folder)
    return { path, ...result }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Removes all backups but the newest ones, and returns their names. */
export async function keepNewest(folder: string, count: number): Promise<string[]> {
  const old = (await listBackups(folder)).slice(0, -count)
  for (const name of old) {
    // Under this name it does not look complete while it is being removed.
    const leaving = join(folder, `${unfinished}${name}-${process.pid}`)
    await rename(join(folder, name), leaving)
    await rm(leaving, { recursive: true })
  }
  return old
}

/** A process that was killed leaves its draft; after a day it cannot be one that is still being written. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(unfinished)) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > day) await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
