import { readFileSync } from 'node:fs'
import { nodesOf } from '../speed/processes.ts'

const msPerTick = 10

/** The CPU time that each Node process of a service has used since its start, with what it waited for, in ms. */
export function cpuSinceStart(pid: number): number[] {
  return nodesOf(pid).map(cpuOf)
}

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks) * msPerTick, 0)
}
