import { setTimeout as sleep } from 'node:timers/promises'
import type { Guarded } from './guard.ts'

/** What the supervisor needs to know about the command that it keeps running. */
interface Supervised {
  /** Removes the leftovers of an earlier run. */
  clear(): Promise<void>
  launch(): Guarded
  isReady(): boolean
  /** Returns the reason why it ended before it was ready. */
  startFailure(): string
  log(line: string): void
  /** How often the first start is tried. */
  attempts: number
}

/** Starts the command, and restarts it whenever it ends, until stopped. */
export async function supervise(it: Supervised): Promise<{ stop(): Promise<void> }> {
  const halt = new AbortController()
  let current: Guarded | undefined

  async function start(): Promise<void> {
    await it.clear()
    if (halt.signal.aborted) return
    current = it.launch()
    await becomeReady(it, current)
    current.unref()
  }

  /** Right after a crash a start may fail, because the kernel needs a moment to free the shared memory. */
  async function startPatiently(attempts: number): Promise<void> {
    for (let pause = 100; !halt.signal.aborted; pause = Math.min(pause * 2, 5000)) {
      try {
        return await start()
      } catch (error) {
        if (--attempts <= 0) throw error
        it.log(`${error instanceof Error ? error.message : error}; the start is tried again`)
        await sleep(pause, undefined, { signal: halt.signal }).catch(() => {})
      }
    }
  }

  async function keep(): Promise<void> {
    while (!halt.signal.aborted) {
      const end = await current?.ended
      if (halt.signal.aborted) return
      it.log(`PostgreSQL ended unexpectedly (${end?.how}); it is started again`)
      await startPatiently(Number.POSITIVE_INFINITY)
      if (!halt.signal.aborted) it.log('PostgreSQL is running again')
    }
  }

  await startPatiently(it.attempts)
  const kept = keep()
  return {
    async stop() {
      halt.abort()
      current?.stop()
      await current?.ended
      await kept
      await it.clear()
    },
  }
}

/** Waits without a time limit while the process lives, because crash recovery can take long. */
async function becomeReady(it: Supervised, run: Guarded): Promise<void> {
  let ended = false
  run.ended.then(() => {
    ended = true
  })
  const began = Date.now()
  let reported = 0
  while (!it.isReady()) {
    if (ended) throw new Error(it.startFailure())
    await sleep(10)
    const waited = Math.floor((Date.now() - began) / 10_000)
    if (waited > reported) it.log(`PostgreSQL is not ready after ${waited * 10} s; it may be recovering from a crash`)
    reported = waited
  }
}
