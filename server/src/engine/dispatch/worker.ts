import { setTimeout as sleep } from 'node:timers/promises'
import { callerFor } from '../../identity/authority.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import { type Id, newId } from '../../kernel/id.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { claimDue, finish, type Job, renew, retry, returnJobs } from './claims.ts'
import { onDue } from './enqueue.ts'
import { Hopeless, Later, type Task, type Work, waitAfter } from './task.ts'

export interface WorkerOptions {
  database: Database
  tasks: readonly Task[]
  outbound: Outbound
  log: (line: Record<string, unknown>) => void
  /** Told how each attempt ended. */
  count?: (task: string, outcome: 'done' | 'failed' | 'gaveUp') => void
  /** Jobs at once, and of one tenant. */
  atOnce?: number
  perTenant?: number
  /** How long a silent worker is believed to be alive, how often to look, how long to wait at the end; ms. */
  lease?: number
  poll?: number
  grace?: number
}

/** What ends within so many ms makes room together: a look for each would cost more than the jobs. */
const gathering = 5

interface Held {
  job: Job
  lost: AbortController
}

/** Takes jobs and does them, several at once, few of each tenant. */
export function openWorker(options: WorkerOptions) {
  const { database, log, count = () => {}, atOnce = 64, perTenant = 16 } = options
  const { lease = 20_000, poll = 1000, grace = 6000 } = options
  const { atDoor } = database
  const worker = newId()
  const tasks = new Map(options.tasks.map(task => [task.name, task]))
  const held = new Map<string, Held>()
  const stopping = new AbortController()
  const finished: { job: Job; tell: (next: Job | undefined) => void }[] = []
  let finishing: Promise<void> | undefined
  let taking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let again = false
  let soon: NodeJS.Timeout | undefined
  let renewals: NodeJS.Timeout | undefined

  const busy = () => {
    const counts = new Map<Id, number>()
    for (const { job } of held.values()) counts.set(job.tenantId, (counts.get(job.tenantId) ?? 0) + 1)
    return counts
  }

  function look(): void {
    if (stopping.signal.aborted || held.size >= atOnce) return
    if (taking) again = true
    else taking = takeSome()
  }

  async function takeSome(): Promise<void> {
    clearTimeout(timer)
    again = false
    let wait = poll * (0.8 + 0.4 * Math.random())
    try {
      const { taken, more } = await claimDue(atDoor, {
        worker,
        free: atOnce - held.size,
        perTenant,
        busy: busy(),
        lease,
        tasks: [...tasks.keys()],
      })
      if (stopping.signal.aborted) await returnJobs(atDoor, worker, taken)
      else for (const job of taken) void follow(job)
      if (more) wait = 20
    } catch (error) {
      log({ level: 'error', error: `looking for jobs: ${told(error)}` })
    }
    taking = undefined
    if (stopping.signal.aborted) return
    if (again) look()
    else timer = setTimeout(look, wait)
  }

  /** Does a job, and then whatever comes next in its lane. */
  async function follow(first: Job): Promise<void> {
    let job: Job | undefined = first
    while (job) {
      const mine: Held = { job, lost: new AbortController() }
      const key = `${job.tenantId} ${job.lane} ${job.id}`
      held.set(key, mine)
      try {
        job = await attempt(mine)
      } catch (error) {
        log({
          level: 'error',
          task: mine.job.task,
          error: `not marked as done, so it will run again: ${told(error)}`,
        })
        job = undefined
      }
      held.delete(key)
    }
    soon ??= setTimeout(() => {
      soon = undefined
      look()
    }, gathering)
  }

  async function attempt({ job, lost }: Held): Promise<Job | undefined> {
    const task = tasks.get(job.task)
    if (!task) return undefined
    const signal = AbortSignal.any([stopping.signal, lost.signal])
    const work = workOn(job, signal)
    try {
      signal.throwIfAborted()
      await task.run(work)
    } catch (error) {
      if (signal.aborted) return undefined // handed back by `stop`, or somebody else's by now
      const wait = waitAfter(error, task.ladder[job.attempts - 1])
      if (wait !== undefined) {
        const counts = !(error instanceof Later)
        if (counts) count(task.name, 'failed')
        await persist(() => retry(atDoor, worker, { job, wait, error: told(error), counts }))
        return undefined
      }
      count(task.name, 'gaveUp')
      if (!(error instanceof Hopeless))
        log({ level: 'error', task: task.name, tenantId: job.tenantId, error: told(error) })
      await task.gaveUp?.(work, error)
      return await done(job)
    }
    count(task.name, 'done')
    return await done(job)
  }

  /** What ends at the same moment is marked by one statement. */
  function done(job: Job): Promise<Job | undefined> {
    return new Promise((tell, failed) => {
      finished.push({ job, tell })
      finishing ??= finishSome().catch(failed)
    })
  }

  async function finishSome(): Promise<void> {
    while (finished.length > 0) {
      const some = finished.splice(0, 200)
      let next: Job[] = []
      try {
        next = await persist(() =>
          finish(
            atDoor,
            worker,
            lease,
            some.map(each => each.job),
          ),
        )
      } catch (error) {
        log({ level: 'error', error: `marking jobs as done: ${told(error)}` })
      }
      for (const { job, tell } of some)
        tell(next.find(each => each.lane === job.lane && each.tenantId === job.tenantId))
    }
    finishing = undefined
  }

  /** What was done must be written down, else it is done again: so a database that is away for a moment is waited for. */
  async function persist<T>(write: () => Promise<T>): Promise<T> {
    const late = performance.now() + lease
    for (let pause = 100; ; pause = Math.min(pause * 2, 2000)) {
      try {
        return await write()
      } catch (error) {
        if (stopping.signal.aborted || performance.now() + pause > late) throw error
        await sleep(pause, undefined, { ref: false })
      }
    }
  }

  function workOn({ tenantId, payload, attempts }: Job, signal: AbortSignal): Work {
    const { outbound } = options
    return {
      tenantId,
      payload,
      attempt: attempts,
      signal,
      outbound,
      service: tenantCaller(tenantId),
      caller: userId => callerFor(database, tenantId, userId, 'rule'),
      single: (caller, act) => database.single(caller, act),
      transaction: (caller, act, changeSet) => database.transaction(caller, act, changeSet ? { changeSet } : {}),
    }
  }

  async function renewAll(): Promise<void> {
    const mine = [...held.values()]
    if (mine.length === 0) return
    try {
      const gone = new Set(
        await renew(
          atDoor,
          worker,
          lease,
          mine.map(each => each.job),
        ),
      )
      for (const { job, lost } of mine) if (gone.has(job)) lost.abort(new Error('the job is no longer ours'))
    } catch {} // the next one may get through; if none does, somebody else takes over
  }

  const stopHearing = onDue(look)
  return {
    start(): void {
      renewals = setInterval(() => void renewAll(), lease / 3).unref()
      look()
    },
    async stop(): Promise<void> {
      const late = performance.now() + grace
      stopHearing()
      clearTimeout(timer)
      clearTimeout(soon)
      stopping.abort(new Error('the service is stopping'))
      await taking
      while (held.size > 0 && performance.now() < late) await sleep(20)
      clearInterval(renewals)
      await finishing
      // All that is left with this worker's token, whether it was cut short or never begun.
      await atDoor`update errand set worker = null, run_at = now(), attempts = greatest(0, attempts - 1) where worker = ${worker}`.catch(
        () => {},
      )
    },
  }
}

function told(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
