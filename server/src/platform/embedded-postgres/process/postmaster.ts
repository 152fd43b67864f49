import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Returns the pid of the PostgreSQL that runs on this cluster, or undefined. */
export function livePostmaster(cluster: string): number | undefined {
  const pid = pidFile(cluster)?.pid
  return pid !== undefined && isPostmaster(pid, cluster) ? pid : undefined
}

/** Whether a live PostgreSQL of this cluster accepts connections. */
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

/**
 * Whether this process is the PostgreSQL of the cluster. The pid may have been reused, so the command line is checked.
 */
export function isPostmaster(pid: number, cluster: string): boolean {
  if (process.platform === 'win32') return signal(pid, 0)
  if (process.platform !== 'linux') return commandLine(pid).includes(`postgres -D ${cluster}`)
  // A zombie has no command line, so it correctly does not match.
  const [program = '', flag, directory] = linuxCommand(pid)
  return basename(program) === 'postgres' && flag === '-D' && isSameDirectory(directory, cluster)
}

/** Returns the command and its arguments, or an empty list if the process is gone. */
export function linuxCommand(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Compares the directories themselves, not their paths: an earlier start may have used another path. */
export function isSameDirectory(one: string | undefined, other: string): boolean {
  if (!one) return false
  try {
    const [a, b] = [statSync(one), statSync(other)]
    return a.ino === b.ino && a.dev === b.dev
  } catch {
    return false // absent, or not accessible
  }
}

/**
 * Sends a signal to a process; 0 only checks. Returns false if there is no such process. A process that we may not
 * signal does exist.
 */
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
