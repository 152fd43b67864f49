import { readdirSync, readFileSync } from 'node:fs'
import { parentOf } from '../service.ts'

/** Resident megabytes of a process and of those it started, each by itself; empty where there is no /proc. */
export function residentOf(pid: number): number[] {
  return familyOf(pid).map(resident)
}

export function familyOf(pid: number): number[] {
  return [pid, ...processes().filter(each => parentOf(each) === pid && isNode(each))]
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function isNode(pid: number): boolean {
  try {
    return /node\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return false
  }
}

function resident(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}

/** Watches a family of processes and remembers the most they held together. */
export function watchMemory(pid: number) {
  const family = familyOf(pid)
  const together = () => family.reduce((sum, each) => sum + resident(each), 0)
  const before = together()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, together())
  }, 50)
  return () => {
    clearInterval(timer)
    return { before, peak: Math.max(peak, together()), after: together() }
  }
}
