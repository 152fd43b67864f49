import type { ListenerOptions } from './ask-listeners.ts'
import { openLogReader } from './log-reader.ts'

interface DispatcherOptions extends ListenerOptions {
  /** The maximal interval between two reads; ms. Notifications only make reads earlier. */
  poll?: number
}

/** How long writes are collected before the log is read; ms. */
const gathering = 10
/**
 * After a read the dispatcher pauses for this multiple of the read's duration, so that under load one read handles many
 * events; and the maximal pause, after a read of few events and of many; ms.
 */
const restsFor = 10
const longestRest = 50
const longestRestOfMany = 250
/** From so many events on, jobs are worth collecting: each costs less when several of a tenant are claimed and run together. */
const many = 4
/** The pause when another node holds the lease of the log; ms. */
const leasedPause = 50

/** Reads the log whenever something was written, and at intervals. */
export function openDispatcher({ poll = 1000, ...audience }: DispatcherOptions) {
  const reader = openLogReader(audience)
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let due = 0
  /** Something was written while the log was being read, so it is read once more. */
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
    const { wait, count } = await readAll()
    looking = undefined
    const ended = performance.now()
    restedAt = ended + Math.min(count < many ? longestRest : longestRestOfMany, (ended - began) * restsFor)
    if (woken || wait === 0) wake()
    else schedule(wait)
  }

  /** Reads until there are no more events, and returns the delay before the next read and how many events there were. */
  async function readAll(): Promise<{ wait: number; count: number }> {
    const usual = poll * (0.8 + 0.4 * Math.random())
    let count = 0
    try {
      for (;;) {
        const read = await reader.read()
        count += read.count
        if (read.left === 'full' && !stopping.signal.aborted) continue
        return { wait: read.left === 'quiet' ? usual : read.left === 'leased' ? leasedPause : 0, count }
      }
    } catch (error) {
      audience.log({ level: 'error', error: `dispatching: ${error instanceof Error ? error.message : error}` })
      return { wait: usual, count }
    }
  }

  /** Only one read runs at a time: a wake during a read makes the next one follow at once. */
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
