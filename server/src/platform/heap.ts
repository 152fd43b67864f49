import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// V8 takes memory for speed and keeps it: without limits, a process that needs 70 MiB has 200 at rest and 350 under load.

/**
 * Options of Node for a process that answers requests. A small young generation costs little, because hardly anything
 * survives a request; but what is read for several large pages at a time must fit, or it fills the old one, whose collection is the
 * expensive one. That is collected when it has grown by six tenths instead of by its own size.
 */
export function heapOptions(heapLimit: number): string[] {
  return ['--max-semi-space-size=8', '--heap-growing-percent=60', `--max-old-space-size=${heapLimit}`]
}

/**
 * Settings of the C library for a process that answers requests. Threads of the runtime would otherwise each keep an area of their
 * own; and once a large block was freed, blocks up to its size would come from an area that only shrinks at its end, so that the
 * memory of the files read at the start would stay.
 */
export const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(2 ** 22),
}

/** The largest heap of a process if the operator sets none, in MiB: all processes together have a quarter of the machine. */
export function defaultHeapLimit(workers: number): number {
  return Math.round(Math.min(2048, Math.max(384, totalmem() / 2 ** 20 / 4 / workers)))
}

/** How often the process is examined, in ms: soon after the start, whose rubbish is a third of the heap, later seldom. */
const intervals = { afterStart: 3000, later: 15_000 }
/** The part of a processor below which the process is at rest. */
const restBelow = 0.05

/** Gives memory back when the process has come to rest; returns the function that ends this. */
export function collectAtRest(collect: () => void = collector()): () => void {
  let used = process.cpuUsage()
  let collected = false
  let interval = intervals.afterStart
  const examine = () => {
    const { user, system } = process.cpuUsage(used)
    used = process.cpuUsage()
    const isResting = (user + system) / 1000 / interval < restBelow
    if (isResting && !collected) collect()
    collected = isResting
    if (isResting) interval = intervals.later
    timer = setTimeout(examine, interval).unref()
  }
  let timer = setTimeout(examine, interval).unref()
  return () => clearTimeout(timer)
}

/** V8 collects when memory is asked for, so a process at rest keeps what the work before has left. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  return () => collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}
