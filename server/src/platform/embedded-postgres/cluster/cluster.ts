import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ConnectionRecord } from '../data-directory/connection-record.ts'
import { type DataDirectory, syncDirectory } from '../data-directory/data-directory.ts'
import type { LogFile } from '../data-directory/log-file.ts'
import { runGuarded } from '../process/guard.ts'
import { owner } from './address.ts'
import { type AsUser, chownTo, environment } from './as-user.ts'
import type { Binaries } from './binaries.ts'
import { settingsFile } from './postgres-conf.ts'

const unfinished = 'postgres.new-'

// Unicode order if ICU is available. The libc locale decides what full text search treats as a letter, so UTF-8 comes
// first.
const locales = [
  ['--locale-provider=icu', '--icu-locale=und', '--locale=C.UTF-8'],
  ['--locale-provider=icu', '--icu-locale=und', '--locale=en_US.UTF-8'],
  ['--locale-provider=icu', '--icu-locale=und', '--locale=C'],
  ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
  ['--locale=C'],
]

// Linux can write a whole file system to the disk at once, in half the time of a call for each of a thousand files. Versions before 17 do
// not know the option.
const syncs = process.platform === 'linux' ? [['--sync-method=syncfs'], []] : [[]]

export function clusterExists({ cluster }: DataDirectory): boolean {
  return existsSync(join(cluster, 'PG_VERSION'))
}

/**
 * Creates the cluster in a temporary directory and renames it when it is complete, so that a kill leaves no partial
 * cluster.
 */
export async function createCluster(
  directory: DataDirectory,
  binaries: Binaries,
  user: AsUser,
  memory: ConnectionRecord,
  log: LogFile,
): Promise<void> {
  const workshop = mkdtempSync(join(directory.root, unfinished))
  const fresh = join(workshop, 'cluster')
  const password = join(workshop, 'password')
  mkdirSync(fresh, { mode: 0o700 })
  writeFileSync(password, memory.password, { mode: 0o600 })
  chownTo(user, workshop)

  const mark = log.mark()
  if (!(await initialised([binaries.initdb, '-D', fresh, `--pwfile=${password}`], user, log))) {
    throw new Error(`PostgreSQL could not create its cluster: ${log.since(mark)}`)
  }
  appendFileSync(join(fresh, 'postgresql.conf'), `\ninclude_if_exists = '${settingsFile}'\n`, { flush: true })
  renameSync(fresh, directory.cluster)
  syncDirectory(directory.root)
  rmSync(workshop, { recursive: true })
}

/** Sets the owner's password in single-user mode, for a cluster whose connection record was lost. */
export function resetPassword(
  { cluster }: DataDirectory,
  { postgres }: Binaries,
  user: AsUser,
  memory: ConnectionRecord,
  log: LogFile,
): void {
  const mark = log.mark()
  const command = [...user.prefix, postgres, '--single', '-D', cluster, '-c', 'exit_on_error=on', 'postgres']
  const [program = postgres, ...args] = command
  const { status } = spawnSync(program, args, {
    cwd: cluster,
    env: environment(),
    input: `alter role ${owner} password '${memory.password}'\n`,
    stdio: ['pipe', 'ignore', log.handle],
    ...user.ids,
  })
  if (status !== 0) throw new Error(`PostgreSQL did not accept a new password: ${log.since(mark)}`)
}

async function initialised(command: readonly string[], user: AsUser, log: LogFile): Promise<boolean> {
  const always = [
    `--username=${owner}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
  ]
  for (const locale of locales) {
    for (const sync of syncs) {
      const { ok } = await runGuarded(user, [...command, ...always, ...locale, ...sync], log.handle).ended
      if (ok) return true
    }
  }
  return false
}

/** Removes what an interrupted creation left. */
export function removeUnfinished({ root }: DataDirectory): void {
  for (const name of readdirSync(root).filter(name => name.startsWith(unfinished))) {
    try {
      rmSync(join(root, name), { recursive: true, force: true, maxRetries: 5 })
    } catch {
      // A dying initdb may still write there; nothing uses the directory, and the next start removes it.
    }
  }
}
