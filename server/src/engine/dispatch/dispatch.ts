import type { Database } from '../../kernel/database.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { againTask } from './ask-listeners.ts'
import { openDispatcher } from './dispatcher.ts'
import type { Listener } from './listener.ts'
import { openDispatchMetrics } from './metrics.ts'
import type { Task } from './task.ts'
import { openWorker } from './worker.ts'

export { cancel, enqueue, resumeGroup } from './enqueue.ts'
export type { BareEvent, EventJob, Listener, LoggedEvent } from './listener.ts'
export { GroupFailure, PermanentFailure, Postponed, type Task, TaskFailure, type Work } from './task.ts'

// How a change causes further work: the event row is the record of intent and the only cost for the write. After the
// commit the dispatcher reads the log, asks the listeners and enqueues jobs; workers run them. No job is lost,
// whichever process is killed at whatever moment.

export interface EnginesOptions {
  database: Database
  listeners: readonly Listener[]
  tasks: readonly Task[]
  outbound: Outbound
  log: (line: Record<string, unknown>) => void
  /** For tests. */
  pace?: { poll?: number; lease?: number; grace?: number; atOnce?: number; perTenant?: number }
}

export type Engines = ReturnType<typeof openEngines>

/** The dispatcher and the workers of one process. Any number of processes may run them. */
export function openEngines({ database, listeners, tasks, outbound, log, pace = {} }: EnginesOptions) {
  const names = tasks.map(task => task.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new Error(`two tasks are called ${twice}`)
  const figures = openDispatchMetrics(database)
  const dispatcher = openDispatcher({ database, listeners, log, ...pace })
  const worker = openWorker({
    database,
    tasks: [...tasks, againTask(listeners)],
    outbound,
    log,
    count: figures.count,
    ...pace,
  })
  return {
    figures: figures.all,
    start(): void {
      dispatcher.start()
      worker.start()
    },
    /** Triggers a read of the log because another process has written. */
    wake: dispatcher.wake,
    /** Waits a few seconds for running jobs and returns the others to the queue. */
    async stop(): Promise<void> {
      await Promise.all([dispatcher.stop(), worker.stop()])
    },
  }
}
