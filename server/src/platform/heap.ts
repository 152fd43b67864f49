import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// V8 takes memory for speed and keeps it: without limits, a process that needs 70 MiB has 200 at rest and 350 under load.

/**
 * Options of Node for a process that answers requests. A small young generation costs little, because hardly anything
 * survives a request; the old one is collected when it has grown by a third instead of by its own size.
 */
export function heapOptions(heapLimit: number): string[] {
  return ['--max-semi-space-size=4', '--heap-growing-percent=30', `--max-old-space-size=${heapLimit}`]
}

/** The largest heap of a process if the operator sets none, in MiB: all processes together have a quarter of the machine. */
export function defaultHeapLimit(workers: number): number {
  return Math.round(Math.min(2048, Math.max(384, totalmem() / 2 ** 20 / 4 / workers)))
}

const interval = 15_000
/** The part of a processor below which the process is at rest. */
const restBelow = 0.05

/** Gives memory back when the process has come to rest; returns the function that ends this. */
export function collectAtRest(collect: () => void = collector()): () => void {
  let used = process.cpuUsage()
  let collected = false
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(used)
    used = process.cpuUsage()
    const isResting = (user + system) / 1000 / interval < restBelow
    if (isResting && !collected) collect()
    collected = isResting
  }, interval).unref()
  return () => clearInterval(timer)
}

/** V8 collects when memory is asked for, so a process at rest keeps what the work before has left. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  return () => collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}
