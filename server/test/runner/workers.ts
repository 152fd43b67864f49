import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { startTestPostgres } from '../support/database.ts'
import { depthOfUnit, type Outcome, type RunnerMessage, type WorkerMessage } from './messages.ts'
import { nameOf, type Unit } from './units.ts'

/** The result of a unit: all reports about it, in order. */
export interface UnitResult {
  unit: Unit
  told: Exclude<WorkerMessage, { kind: 'next' }>[]
  milliseconds: number
}

// Tests sometimes wait for a timer or for PostgreSQL, so one worker more than there are cores keeps the cores busy.
const workers = Number(process.env.TEST_WORKERS ?? availableParallelism() + 1)

// A test that is silent for this long hangs. This is not a limit on speed.
const longestSilence = 15 * 60_000

/** Runs the units in several processes; each process takes the next unit when it has finished one. */
export async function runUnits(units: readonly Unit[], finished: (result: UnitResult) => void): Promise<void> {
  const queue = [...units]
  const work = async (_: unknown, number: number) => {
    // Each worker has its own PostgreSQL, because a transaction of one would delay the event log of another, even in
    // another database.
    const postgres = await startTestPostgres()
    const env = { ...process.env, GANTRY_TEST_WORKER: String(number), GANTRY_TEST_POSTGRES: postgres.url }
    try {
      // A worker that dies fails its current unit; a new worker takes over.
      while (queue.length > 0) await runWorker(env, queue, finished)
    } finally {
      await postgres.stop()
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, units.length) }, work))
}

function runWorker(env: NodeJS.ProcessEnv, queue: Unit[], finished: (result: UnitResult) => void): Promise<void> {
  const child = fork(new URL('worker.ts', import.meta.url), { serialization: 'advanced', env })
  let current: UnitResult | undefined
  let begun = false
  let why = ''
  const hung = () => {
    why = `was silent for ${longestSilence / 60_000} minutes`
    child.kill('SIGKILL')
  }
  let watchdog = setTimeout(hung, longestSilence)
  child.on('message', (message: WorkerMessage) => {
    clearTimeout(watchdog)
    watchdog = setTimeout(hung, longestSilence)
    if (message.kind === 'next') {
      begun = true
      const unit = queue.shift()
      current = unit && { unit, told: [], milliseconds: 0 }
      child.send({ unit } satisfies RunnerMessage)
      return
    }
    current?.told.push(message)
    if (!current || message.kind !== 'outcome' || message.depth !== depthOfUnit) return
    finished({ ...current, milliseconds: message.milliseconds })
    current = undefined
  })
  return new Promise(resolve => {
    child.once('exit', (code, signal) => {
      clearTimeout(watchdog)
      why ||= `died (${signal ?? `exit code ${code}`})`
      // A worker that fails at its start must not be restarted forever.
      const unit = current?.unit ?? (begun ? undefined : queue.shift())
      if (unit) finished({ unit, told: [...(current?.told ?? []), death(unit, why)], milliseconds: 0 })
      resolve()
    })
  })
}

function death(unit: Unit, why: string): Outcome {
  return {
    kind: 'outcome',
    depth: depthOfUnit,
    name: nameOf(unit),
    isSuite: false,
    milliseconds: 0,
    place: unit.file,
    failure: `the worker process ${why} while it ran this file`,
  }
}
