import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSecrets, opensMasterKeyCheck } from '../secrets.ts'
import type { Settings } from '../settings.ts'
import { storeFile } from './file-copies.ts'
import { UnusableBackup } from './unusable-backup.ts'

/** The settings that say where a restore writes to. */
export type TargetSettings = Pick<Settings, 'dataDir' | 'databaseUrl' | 'masterKey'>

const markName = 'restore-unfinished'

/** What a restore creates in the data directory. With an external database the rest is not its own. */
const createdBy = {
  embedded: ['postgres', 'postgres.json', 'postgres.log', 'run', 'files'],
  external: ['files'],
} as const

/** Refuses a data directory whose restore was interrupted, so that nobody starts on half of the data. */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (existsSync(join(dataDir, markName)))
    throw new UnusableBackup(`the restore into ${dataDir} was interrupted: run it again`)
}

/** Restores into an empty data directory. After a failure nothing is left; an interrupted one is marked and begins again. */
export async function intoDataDirectory<T>(
  { dataDir, databaseUrl }: TargetSettings,
  work: () => Promise<T>,
): Promise<T> {
  const mark = join(dataDir, markName)
  const kind = databaseUrl ? 'external' : 'embedded'
  const clear = async () => {
    for (const name of createdBy[kind]) await rm(join(dataDir, name), { recursive: true, force: true })
  }
  if (existsSync(mark)) {
    refuseOtherRestore(mark, kind)
    await clear()
  }
  await refuseUsed(dataDir, kind === 'external')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(mark, `${kind} ${process.pid}\n`, { mode: 0o600, flush: true })
  try {
    return await work()
  } catch (error) {
    await clear()
    throw error
  } finally {
    await rm(mark, { force: true })
  }
}

function refuseOtherRestore(mark: string, kind: string): void {
  const [otherKind, pid] = readFileSync(mark, 'utf8').trim().split(' ')
  if (isAlive(Number(pid)))
    throw new UnusableBackup(`another restore is running (pid ${pid}); if it is not, remove ${mark}`)
  if (otherKind !== kind)
    throw new UnusableBackup(`${mark} is of a restore with an ${otherKind} database: empty the folder`)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function refuseUsed(dataDir: string, external: boolean): Promise<void> {
  const names = existsSync(dataDir) ? await readdir(dataDir) : []
  const found = names.find(name => !external && name.startsWith('postgres'))
  const files = names.includes('files') && (await readdir(join(dataDir, 'files'))).length > 0
  if (found || files)
    throw new UnusableBackup(
      `${dataDir} is not empty: it has ${found ?? 'files'}; restore into a new DATA_DIR, which holds at most master.key`,
    )
}

/** Refuses a restore whose secrets nobody could open. */
export function checkKey(settings: TargetSettings, sealed: string | null): void {
  if (sealed === null) return
  requireKey(settings)
  const { dataDir, masterKey } = settings
  if (!opensMasterKeyCheck(openSecrets({ masterKey, dataDir }), sealed))
    throw new UnusableBackup(`the master key is not the one of the backup: ${whatToDo(dataDir)}`)
}

/** Refuses a restore without any key, before anything is done. */
export function requireKey({ dataDir, masterKey }: TargetSettings): void {
  if (!masterKey && !existsSync(join(dataDir, 'master.key')))
    throw new UnusableBackup(`a backup does not contain the master key: ${whatToDo(dataDir)}`)
}

const whatToDo = (dataDir: string) => `put the master.key of the installation into ${dataDir}, or set its MASTER_KEY`

/** Copies files into the data directory, each checked by its hash. */
export async function restoreFiles(from: string, dataDir: string, files: AsyncIterable<string>): Promise<number> {
  let count = 0
  for await (const file of files) {
    if ((await storeFile(file, from, { to: join(dataDir, 'files') })) === 'missing')
      throw new UnusableBackup(`${from} has no file ${file}`)
    count++
  }
  return count
}
