import { Worker } from 'node:worker_threads'

/** The work in a thread failed, took too long or needed too much memory. The message may be shown. */
export class ThreadFailed extends Error {}

export interface ThreadLimits {
  timeoutMs?: number
  memoryMiB?: number
}

/** What the thread sends, once. */
export type ThreadResult<T> = { found: T } | { fault: string }

const tooMuch = 'it needs too much memory'

/**
 * Runs the module of a thread on this input and returns what it finds. For hostile or costly input: it does not block
 * the event loop, and is ended when it hangs or exceeds its memory.
 */
export function runInThread<T>(
  module: URL,
  input: unknown,
  { timeoutMs = 20_000, memoryMiB = 256 }: ThreadLimits = {},
): Promise<T> {
  const thread = new Worker(module, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB, stackSizeMb: 4 },
  })
  thread.unref()
  return new Promise<T>((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      clearInterval(watch)
      thread.removeAllListeners()
      // The promise is settled; a later error without a listener would end the process.
      thread.on('error', () => {})
      void thread.terminate()
      settle()
    }
    const fail = (why: string) => end(() => reject(new ThreadFailed(why)))
    const timer = setTimeout(() => fail('it takes too long'), timeoutMs)
    // The limit of the heap does not count buffers.
    const watch = setInterval(async () => {
      const statistics = await thread.getHeapStatistics().catch(() => undefined) // it has not begun, or has ended
      if (Number(statistics?.external_memory) > memoryMiB * 2 ** 20) fail(tooMuch)
    }, 100)
    thread.on('message', (result: ThreadResult<T>) =>
      'fault' in result ? fail(result.fault) : end(() => resolve(result.found)),
    )
    thread.on('error', error => fail(error.message))
    thread.on('exit', () => fail(tooMuch))
  })
}
