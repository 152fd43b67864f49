import { readFileSync } from 'node:fs'
import { nodesOf } from '../speed/processes.ts'

/** The memory of the Node processes of a service, in MiB: each shared page counts in parts. */
export function memoryOf(pid: number): number[] {
  return nodesOf(pid).map(proportionalOf)
}

function proportionalOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0 // the process has ended
  }
}

export const sum = (figures: readonly number[]) => figures.reduce((total, each) => total + each, 0)
export const mean = (figures: readonly number[]) => sum(figures) / Math.max(1, figures.length)
