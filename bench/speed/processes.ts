import { readdirSync, readFileSync } from 'node:fs'
import { parentOf } from '../service.ts'

// What processes hold and use, as the kernel tells it. Where there is no /proc, all of it is nothing.

/** A process and those it has started. */
function familyOf(pid: number): number[] {
  return [pid, ...listed('/proc').filter(each => parentOf(each) === pid)]
}

function listed(directory: string): number[] {
  try {
    return readdirSync(directory).map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Counts the milliseconds that a family of processes is on a CPU: what the neighbours do has little part in it. */
export function watchCpu(pid: number): () => number {
  const before = new Map(familyOf(pid).map(each => [each, cpuOf(each)]))
  return () => familyOf(pid).reduce((sum, each) => sum + cpuOf(each) - (before.get(each) ?? 0), 0)
}

function cpuOf(pid: number): number {
  const threads = listed(`/proc/${pid}/task`).map(id => read(`/proc/${pid}/task/${id}/schedstat`))
  return threads.reduce((sum, line) => sum + Number(line.split(' ')[0]) / 1e6, 0)
}

/** Resident megabytes of a node process and of its workers, each by itself. */
export function residentOf(pid: number): number[] {
  return nodesOf(pid).map(resident)
}

function nodesOf(pid: number): number[] {
  return familyOf(pid).filter(each => /node\0/.test(read(`/proc/${each}/cmdline`)))
}

function resident(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

/** Watches a node process and its workers, and remembers the most they held together. */
export function watchMemory(pid: number) {
  const family = nodesOf(pid)
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
