import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The pid of the PostgreSQL that runs on this cluster, undefined if none does. */
export function livePostmaster(cluster: string): number | undefined {
  const pid = pidFile(cluster)?.pid
  return pid !== undefined && isPostmaster(pid, cluster) ? pid : undefined
}

/** Whether a live PostgreSQL of this cluster takes connections. */
export function isReady(cluster: string): boolean {
  return pidFile(cluster)?.status === 'ready' && livePostmaster(cluster) !== undefined
}

/** Reads postmaster.pid; its lines are pid, directory, start time, port, socket, address, memory key, status. */
export function pidFile(cluster: string): { path: string; text: string; pid: number; status: string } | undefined {
  const path = join(cluster, 'postmaster.pid')
  try {
    const text = readFileSync(path, 'utf8')
    const lines = text.split('\n')
    const pid = Number.parseInt(lines[0] ?? '', 10)
    return pid > 0 ? { path, text, pid, status: lines[7]?.trim() ?? '' } : undefined
  } catch {
    return undefined
  }
}

/** Whether this process is the PostgreSQL of the cluster: the pid may have been reused, so we look at the command. */
export function isPostmaster(pid: number, cluster: string): boolean {
  if (process.platform === 'win32') return signal(pid, 0)
  if (process.platform !== 'linux') return commandLine(pid).includes(`postgres -D ${cluster}`)
  // A zombie has no command, which is right too.
  const [program = '', flag, directory] = linuxCommand(pid)
  return basename(program) === 'postgres' && flag === '-D' && isSameDirectory(directory, cluster)
}

/** The command and its arguments, as far as the process still tells them. */
export function linuxCommand(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Compares the directories, not their names: an earlier start may have come by another path. */
export function isSameDirectory(one: string | undefined, other: string): boolean {
  if (!one) return false
  try {
    const [a, b] = [statSync(one), statSync(other)]
    return a.ino === b.ino && a.dev === b.dev
  } catch {
    return false // not there, or closed to us
  }
}

/** Signals a process, 0 just asks; false if there is none. One that we may not signal does exist. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function commandLine(pid: number): string {
  return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout
}
