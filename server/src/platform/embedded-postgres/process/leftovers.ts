import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPostmaster, isSameDirectory, linuxCommand, livePostmaster, pidFile, signal } from './postmaster.ts'

/** The paths where an earlier run may have left files or processes. */
interface Leftovers {
  cluster: string
  socketDirectory: string
  port: number
  pgCtl: string
  log(line: string): void
}

/**
 * Removes the leftovers of an earlier run, however it ended. Only the process that locked the data directory may call
 * this.
 */
export async function clearLeftovers(of: Leftovers): Promise<void> {
  const orphan = livePostmaster(of.cluster)
  if (orphan !== undefined) await stopOrphan(orphan, of)
  disownPid(of.cluster)
  // The socket lock also names a pid that may have been reused; this directory is used by this service only.
  if (of.socketDirectory) rmSync(join(of.socketDirectory, `.s.PGSQL.${of.port}.lock`), { force: true })
  if (process.platform === 'linux') endBackends(of.cluster)
}

/** The guard of the orphan stops it as well, so usually this only waits. */
async function stopOrphan(pid: number, { cluster, pgCtl, log }: Leftovers): Promise<void> {
  log(`stopping the PostgreSQL that an earlier run left behind (pid ${pid})`)
  for (const [name, mode, seconds] of [
    ['SIGINT', 'fast', 8],
    ['SIGQUIT', 'immediate', 5],
    ['SIGKILL', 'immediate', 5],
  ] as const) {
    if (process.platform === 'win32') spawnSync(pgCtl, ['stop', '-W', '-m', mode, '-D', cluster], { stdio: 'ignore' })
    else signal(pid, name)
    if (await endedWithin(pid, cluster, seconds)) return
  }
  throw new Error(`PostgreSQL (pid ${pid}) of ${cluster} cannot be stopped`)
}

async function endedWithin(pid: number, cluster: string, seconds: number): Promise<boolean> {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await sleep(20)) {
    if (!isPostmaster(pid, cluster)) return true
  }
  return false
}

/**
 * After a crash the pid in the file may belong to another process by now, and PostgreSQL would refuse to start. Only
 * the pid is replaced, by one that cannot exist: from the rest of the file PostgreSQL checks that no backend of the
 * crashed server is alive.
 */
function disownPid(cluster: string): void {
  const file = pidFile(cluster)
  if (file && signal(file.pid, 0)) writeFileSync(file.path, file.text.replace(/^\d+/, '2147483646'))
}

/** A busy backend does not notice that its postmaster died, and PostgreSQL cannot start until the backend has ended. */
function endBackends(cluster: string): void {
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    const [title = ''] = linuxCommand(pid)
    if (title.startsWith('postgres: ') && isSameDirectory(`/proc/${pid}/cwd`, cluster)) signal(pid, 'SIGKILL')
  }
}
