import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { startTestPostgres } from '../support/database.ts'
import { depthOfUnit, type Outcome, type RunnerMessage, type WorkerMessage } from './messages.ts'
import { nameOf, type Unit } from './units.ts'

/** What came of a unit: all that was told of it, in order. */
export interface UnitResult {
  unit: Unit
  told: Exclude<WorkerMessage, { kind: 'next' }>[]
  milliseconds: number
}

// Tests wait now and then, for a timer or for PostgreSQL: one worker more than there are cores keeps them busy.
const workers = Number(process.env.TEST_WORKERS ?? availableParallelism() + 1)

// No test is silent for so long unless it hangs. This is no bound on speed.
const longestSilence = 15 * 60_000

/** Runs the units in several processes, each of which takes the next one when it is done with the last. */
export async function runUnits(units: readonly Unit[], finished: (result: UnitResult) => void): Promise<void> {
  const queue = [...units]
  const work = async (_: unknown, number: number) => {
    // A PostgreSQL for each: transactions of one would hold back the log of another, whatever database they are in.
    const postgres = await startTestPostgres()
    const env = { ...process.env, GANTRY_TEST_WORKER: String(number), GANTRY_TEST_POSTGRES: postgres.url }
    try {
      // A worker that dies fails the unit it was at; another takes over.
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
      // One that cannot even begin must not be started for ever.
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
