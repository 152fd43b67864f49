import type { ListenerOptions } from './ask-listeners.ts'
import { openLogReader } from './log-reader.ts'

export interface DispatcherOptions extends ListenerOptions {
  /** Between two looks at most, ms: waking is a courtesy. */
  poll?: number
}

/** How long what was written is gathered before the log is read; ms. */
const gathering = 10
/** A look is followed by a rest of so many times its own length, so that much is looked at together where much is written; ms at most. */
const restsFor = 10
const longestRest = 50
/** When to look again after another node was found at the log; ms. */
const leasedPause = 50

/** Has the log read whenever something was written, and from time to time. */
export function openDispatcher({ poll = 1000, ...audience }: DispatcherOptions) {
  const reader = openLogReader(audience)
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let due = 0
  /** Something was written while the log was being read: it is read once more. */
  let woken = false
  let restedAt = 0

  function schedule(wait: number): void {
    const at = performance.now() + wait
    if (stopping.signal.aborted || (timer && due <= at)) return
    clearTimeout(timer)
    due = at
    timer = setTimeout(() => {
      timer = undefined
      looking = look()
    }, wait)
  }

  async function look(): Promise<void> {
    woken = false
    const began = performance.now()
    const wait = await readAll()
    looking = undefined
    const ended = performance.now()
    restedAt = ended + Math.min(longestRest, (ended - began) * restsFor)
    if (woken || wait === 0) wake()
    else schedule(wait)
  }

  /** Reads until nothing more is there to be read, and returns how long to wait for the next look. */
  async function readAll(): Promise<number> {
    const usual = poll * (0.8 + 0.4 * Math.random())
    try {
      for (;;) {
        const found = await reader.read()
        if (found === 'full' && !stopping.signal.aborted) continue
        return found === 'quiet' ? usual : found === 'leased' ? leasedPause : 0
      }
    } catch (error) {
      audience.log({ level: 'error', error: `dispatching: ${error instanceof Error ? error.message : error}` })
      return usual
    }
  }

  /** One look at a time: whoever wakes during one has the next follow at once. */
  function wake(): void {
    if (looking) woken = true
    else schedule(Math.max(gathering, restedAt - performance.now()))
  }

  const stopHearing = audience.database.onWritten(wake)
  return {
    start(): void {
      schedule(0)
    },
    wake,
    async stop(): Promise<void> {
      stopping.abort()
      stopHearing()
      clearTimeout(timer)
      await looking
      await reader.release().catch(() => {})
    },
  }
}
