import { setTimeout as sleep } from 'node:timers/promises'
import { chooseAddress, urlOf } from './cluster/address.ts'
import { chooseUser, chownTo } from './cluster/as-user.ts'
import { binariesIn, findBinaries } from './cluster/binaries.ts'
import { clusterExists, createCluster, removeUnfinished, resetPassword } from './cluster/cluster.ts'
import { ensureDatabase } from './cluster/ensure-database.ts'
import { writePostgresConf } from './cluster/postgres-conf.ts'
import { newConnectionRecord, readConnectionRecord, writeConnectionRecord } from './data-directory/connection-record.ts'
import { type DataDirectory, openDataDirectory } from './data-directory/data-directory.ts'
import { lockDataDirectory } from './data-directory/directory-lock.ts'
import { type LogFile, openLog } from './data-directory/log-file.ts'
import { DataDirectoryInUse } from './errors.ts'
import { runGuarded, runGuardedOnWindows } from './process/guard.ts'
import { clearLeftovers } from './process/leftovers.ts'
import { isReady } from './process/postmaster.ts'
import { supervise } from './process/supervise.ts'

export { DataDirectoryInUse } from './errors.ts'

/** The PostgreSQL that comes with the service. */
interface EmbeddedPostgres {
  /** Connection URL of the database owner (superuser `gantry_owner`, database `gantry`). */
  url: string
  /** Stops what was started; may be called repeatedly. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log(line: string): void
  /** PostgreSQL settings that override ours. */
  settings?: Record<string, string>
  /** The folder with the programs of another PostgreSQL than the one that comes with the service. */
  programs?: string | undefined
  /** Folders that PostgreSQL writes to beside its cluster. */
  folders?: readonly string[]
  /** How often a start is tried that fails; right after a crash the first ones may. */
  attempts?: number
}

/**
 * Starts the cluster under `${dataDir}/postgres`, and creates it on the first start. Throws DataDirectoryInUse when a
 * live service already uses this data directory.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const directory = openDataDirectory(options.dataDir)
  const lock = lockDataDirectory(directory)
  const log = openLog(directory.log)
  const leave = () => {
    log.close()
    lock.release()
  }
  try {
    const { url, stop } = await run(directory, log, options)
    let stopped: Promise<void> | undefined
    return {
      url,
      stop() {
        stopped ??= stop().finally(leave)
        return stopped
      },
    }
  } catch (error) {
    leave()
    throw error
  }
}

/**
 * For operator commands: connects to the running cluster of this data directory if there is one (stop() then leaves it
 * running), otherwise starts it for the duration of the command.
 */
export async function joinEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const patience = Date.now() + 30_000
  while (true) {
    try {
      return await startEmbeddedPostgres(options)
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse)) throw error
      const running = findRunningPostgres(options.dataDir)
      if (running) return running
      if (Date.now() > patience) throw error
    }
    await sleep(100) // the process with the lock is still starting, or just stopping
  }
}

async function run(directory: DataDirectory, log: LogFile, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { cluster } = directory
  const binaries = options.programs ? binariesIn(options.programs) : await findBinaries()
  const user = chooseUser(binaries, directory)

  const known = readConnectionRecord(directory)
  const memory = await chooseAddress(directory, known ?? newConnectionRecord(), user)
  writeConnectionRecord(directory, memory)

  const clear = () => clearLeftovers({ ...memory, cluster, pgCtl: binaries.pgCtl, log: options.log })
  await clear()
  removeUnfinished(directory)

  if (!clusterExists(directory)) {
    options.log(`creating a PostgreSQL cluster in ${cluster}`)
    await createCluster(directory, binaries, user, memory, log)
  } else {
    chownTo(user, cluster)
    if (!known) resetPassword(directory, binaries, user, memory, log)
  }
  for (const folder of options.folders ?? []) chownTo(user, folder)
  writePostgresConf(cluster, memory, options.settings ?? {})

  let mark = log.mark()
  const running = await supervise({
    clear,
    launch() {
      mark = log.mark()
      if (process.platform === 'win32') return runGuardedOnWindows(binaries.pgCtl, cluster, directory.log)
      return runGuarded(user, [binaries.postgres, '-D', cluster], log.handle)
    },
    isReady: () => isReady(cluster),
    startFailure: () => `PostgreSQL did not start: ${log.since(mark)}`,
    log: options.log,
    attempts: options.attempts ?? 5,
  })
  try {
    await ensureDatabase(memory)
  } catch (error) {
    await running.stop()
    throw error
  }
  return { url: urlOf(memory), stop: running.stop }
}

/** Returns the cluster of this data directory if it runs; stop() leaves it running. */
export function findRunningPostgres(dataDir: string): EmbeddedPostgres | undefined {
  const directory = openDataDirectory(dataDir)
  const memory = readConnectionRecord(directory)
  if (!memory || !isReady(directory.cluster)) return undefined
  return { url: urlOf(memory), stop: async () => {} }
}
