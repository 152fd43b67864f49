import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPostmaster, isSameDirectory, linuxCommand, livePostmaster, pidFile, signal } from './postmaster.ts'

/** Where an earlier run may have left something. */
export interface Leftovers {
  cluster: string
  socketDirectory: string
  port: number
  pgCtl: string
  log(line: string): void
}

/** Makes room for a start, whatever became of the run before. Only the holder of the data directory may do this. */
export async function clearLeftovers(of: Leftovers): Promise<void> {
  const orphan = livePostmaster(of.cluster)
  if (orphan !== undefined) await stopOrphan(orphan, of)
  disownPid(of.cluster)
  // It too names a pid that may be a stranger's by now; in this directory there is only us.
  if (of.socketDirectory) rmSync(join(of.socketDirectory, `.s.PGSQL.${of.port}.lock`), { force: true })
  if (process.platform === 'linux') endBackends(of.cluster)
}

/** Its guard stops it as well, so mostly this waits. */
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
 * After a crash the pid in the file may by now belong to a stranger, and PostgreSQL would refuse to start beside it. We replace
 * only the pid, by one that cannot exist: the rest of the file lets PostgreSQL check that no backend of the crashed one lives.
 */
function disownPid(cluster: string): void {
  const file = pidFile(cluster)
  if (file && signal(file.pid, 0)) writeFileSync(file.path, file.text.replace(/^\d+/, '2147483646'))
}

/** A backend that computes does not notice that its postmaster died, and none can start until it is gone. */
function endBackends(cluster: string): void {
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    const [title = ''] = linuxCommand(pid)
    if (title.startsWith('postgres: ') && isSameDirectory(`/proc/${pid}/cwd`, cluster)) signal(pid, 'SIGKILL')
  }
}
