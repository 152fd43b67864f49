import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { startTestPostgres, writersEnded } from '../support/database/database.ts'
import { type CpuTime, cpuBetween, cpuTime, isCpuCounted } from './cpu-time.ts'
import type { FileQueue } from './file-queue.ts'
import { depthOfFile, type Outcome, type RunnerMessage, type WorkerMessage } from './messages.ts'

/** The result of a test file: all reports about it, in order. */
export interface FileResult {
  file: string
  messages: Extract<WorkerMessage, { depth: number }>[]
  milliseconds: number
  /** Where it is counted. */
  cpu?: CpuTime
}

// Tests sometimes wait for a timer or for PostgreSQL, so one worker more than there are cores keeps the cores busy.
const workers = Number(process.env.TEST_WORKERS ?? availableParallelism() + 1)

// A test that is silent for this long hangs. This is not a limit on speed.
const longestSilence = 15 * 60_000

/** What is told while files run. */
interface Listeners {
  finished: (result: FileResult) => void
  /** The statements that the tests have sent about records of tenants; some are told by several workers. */
  sent: (texts: readonly string[]) => void
}

/** Runs the files in several processes; each process takes the next file when it has finished one. */
export async function runFiles(queue: FileQueue, listeners: Listeners): Promise<void> {
  const work = async (_: unknown, number: number) => {
    // Each worker has its own PostgreSQL, because a transaction of one would delay the event log of another, even in
    // another database.
    const postgres = await startTestPostgres()
    const env = { ...process.env, GANTRY_TEST_WORKER: String(number), GANTRY_TEST_POSTGRES: postgres.url }
    try {
      // A worker that dies fails its current file; a new worker takes over.
      while (queue.size > 0) await runWorker({ env, postgres, next: () => queue.take(number) }, listeners)
    } finally {
      await postgres.stop()
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, queue.size) }, work))
}

interface WorkerOptions {
  env: NodeJS.ProcessEnv
  postgres: { url: string; pid: number }
  next: () => string | undefined
}

function runWorker({ env, postgres, next }: WorkerOptions, { finished, sent }: Listeners): Promise<void> {
  const child = fork(new URL('worker.ts', import.meta.url), { serialization: 'advanced', env })
  let current: FileResult | undefined
  const cpuNow = () => (isCpuCounted && child.pid ? cpuTime(child.pid, postgres.pid) : undefined)
  let cpuBefore: CpuTime | undefined
  let begun = false
  let why = ''
  const hung = () => {
    why = `was silent for ${longestSilence / 60_000} minutes`
    child.kill('SIGKILL')
  }
  let watchdog = setTimeout(hung, longestSilence)
  const handOut = async () => {
    await writersEnded(postgres.url)
    if (!child.connected) return // it died meanwhile: the file is for its successor
    cpuBefore = cpuNow()
    const file = next()
    current = file === undefined ? undefined : { file, messages: [], milliseconds: 0 }
    child.send({ file } satisfies RunnerMessage)
  }
  child.on('message', (message: WorkerMessage) => {
    clearTimeout(watchdog)
    watchdog = setTimeout(hung, longestSilence)
    if (message.kind === 'next') {
      begun = true
      void handOut()
      return
    }
    if (message.kind === 'statements') {
      sent(message.texts)
      return
    }
    current?.messages.push(message)
    if (!current || message.kind !== 'outcome' || message.depth !== depthOfFile) return
    const cpu = cpuNow()
    const used = cpuBefore && cpu && { cpu: cpuBetween(cpuBefore, cpu) }
    finished({ ...current, ...used, milliseconds: message.milliseconds })
    current = undefined
  })
  return new Promise(resolve => {
    child.once('exit', (code, signal) => {
      clearTimeout(watchdog)
      why ||= `died (${signal ?? `exit code ${code}`})`
      // A worker that fails at its start must not be restarted forever.
      const file = current?.file ?? (begun ? undefined : next())
      if (file) finished({ file, messages: [...(current?.messages ?? []), death(file, why)], milliseconds: 0 })
      resolve()
    })
  })
}

function death(file: string, why: string): Outcome {
  return {
    kind: 'outcome',
    depth: depthOfFile,
    name: file,
    isSuite: false,
    milliseconds: 0,
    place: file,
    failure: `the worker process ${why} while it ran this file`,
  }
}
