import { readdirSync, readFileSync } from 'node:fs'
import { parentOf } from '../service.ts'

// Memory and CPU time of processes, read from /proc. Without /proc all figures are 0.

/** A process and its children. */
function processTreeOf(pid: number): number[] {
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

/** Starts counting the CPU time of a process and its children, in ms. Other load on the machine affects it little. */
export function watchCpu(pid: number): () => number {
  const before = new Map(processTreeOf(pid).map(each => [each, cpuOf(each)]))
  return () => processTreeOf(pid).reduce((sum, each) => sum + cpuOf(each) - (before.get(each) ?? 0), 0)
}

function cpuOf(pid: number): number {
  const threads = listed(`/proc/${pid}/task`).map(id => read(`/proc/${pid}/task/${id}/schedstat`))
  return threads.reduce((sum, line) => sum + Number(line.split(' ')[0]) / 1e6, 0)
}

/** Resident memory of a Node process and of each of its workers, in MB. */
export function residentOf(pid: number): number[] {
  return nodesOf(pid).map(resident)
}

export function nodesOf(pid: number): number[] {
  return processTreeOf(pid).filter(each => /node\0/.test(read(`/proc/${each}/cmdline`)))
}

function resident(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

/** Samples the memory of a Node process and its workers. Returns a function that ends this and returns the figures in MB. */
export function watchMemory(pid: number) {
  const processes = nodesOf(pid)
  const total = () => processes.reduce((sum, each) => sum + resident(each), 0)
  const before = total()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, total())
  }, 50)
  return () => {
    clearInterval(timer)
    return { before, peak: Math.max(peak, total()), after: total() }
  }
}
