import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../kernel/database.ts'
import { newId } from '../../kernel/id.ts'
import { type MonotonicClock, openLeases, processClock } from '../lease/lease.ts'
import { type AttemptOptions, messageOf } from './attempt.ts'
import { claimDue } from './claim-due.ts'
import { type Job, renew, returnAll, returnJobs } from './claims.ts'
import { onDue } from './enqueue.ts'
import { openLaneRunner } from './lane-runner.ts'
import { openLoad } from './load.ts'
import { type Claimed, openOutcomes } from './outcomes.ts'
import type { Task } from './task.ts'

interface WorkerOptions extends Omit<AttemptOptions, 'count'> {
  database: Database
  tasks: readonly Task[]
  count?: AttemptOptions['count']
  /** The maximum of concurrent jobs that do not wait for a foreign host, in total and for one tenant. */
  atOnce?: number
  perTenant?: number
  /**
   * How long a worker that does not renew is considered alive, how often it looks for jobs, and how long it waits when
   * it stops; ms.
   */
  lease?: number
  poll?: number
  grace?: number
  /** For tests: the clock by which leases are renewed and lost. */
  clock?: MonotonicClock
}

/**
 * Jobs that end within this many ms are followed by one query for new ones: a query for each would cost more than the
 * jobs. Where queries take long, the time is a multiple of that, up to the second figure.
 */
const gathering = 5
const maxGathering = 50
const gathersFor = 3

/** Claims jobs and runs their tasks, several concurrently but few of each tenant. */
export function openWorker(options: WorkerOptions) {
  const { database, log, count = () => {}, atOnce = 64, perTenant = 16, clock = processClock } = options
  const { lease: length = 20_000, poll = 1000, grace = 6000 } = options
  const { crossTenantSql } = database
  const worker = newId()
  const tasks = new Map(options.tasks.map(task => [task.name, task]))
  const stopping = new AbortController()
  const leases = openLeases<Job>({ length, clock, renew: held => renew(crossTenantSql, worker, length, held) })
  const outcomes = openOutcomes({ run: crossTenantSql, worker, lease: length, clock, stopping: stopping.signal, log })
  const attempts: AttemptOptions = { ...options, count }
  const load = openLoad({ atOnce, perTenant })
  const lanes = openLaneRunner({ attempts, tasks, leases, outcomes, load, stopping: stopping.signal })
  let claiming: Promise<void> | undefined
  let again = false
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Timeout | undefined
  let rest = gathering
  /** Whether due jobs may wait for the end of those that run. */
  let crowded = false

  function look(): void {
    if (stopping.signal.aborted) return
    if (load.isFull()) {
      crowded = true
      return
    }
    if (claiming) again = true
    else claiming = claimSome()
  }

  async function claimSome(): Promise<void> {
    clearTimeout(timer)
    again = false
    let wait = poll * (0.8 + 0.4 * Math.random())
    try {
      const asked = clock.now()
      const { taken, more } = await claimDue(crossTenantSql, {
        worker,
        room: load.room(),
        lease: length,
        tasks: [...tasks.keys()],
      })
      rest = Math.min(maxGathering, Math.max(gathering, (clock.now() - asked) * gathersFor))
      if (stopping.signal.aborted) await returnJobs(crossTenantSql, worker, taken)
      else for (const job of taken) void follow({ job, asked })
      crowded = load.isCrowded()
      if (more) wait = 20
    } catch (error) {
      log({ level: 'error', error: `looking for jobs: ${messageOf(error)}` })
    }
    claiming = undefined
    if (stopping.signal.aborted) return
    if (again) look()
    else timer = setTimeout(look, wait)
  }

  /** Runs a job and the next ones of its lane, and then looks for those that waited for its end. */
  async function follow(claimed: Claimed): Promise<void> {
    await lanes.run(claimed)
    if (!crowded) return
    soon ??= setTimeout(() => {
      soon = undefined
      look()
    }, rest)
  }

  const stopListening = onDue(look)
  return {
    start: look,
    async stop(): Promise<void> {
      const late = performance.now() + grace
      stopListening()
      clearTimeout(timer)
      clearTimeout(soon)
      stopping.abort(new Error('the service is stopping'))
      await claiming
      while (!load.isIdle() && performance.now() < late) await sleep(20)
      await outcomes.written()
      await returnAll(crossTenantSql, worker).catch(() => {})
    },
  }
}
