import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../kernel/database.ts'
import { type Id, newId } from '../kernel/id.ts'
import { type Sql, sql } from '../kernel/sql.ts'

/** Work that comes back by itself. It may be cut short and done again, so it must bear that. */
export interface RecurringJob {
  readonly name: string
  /** How many ms lie between two runs. */
  readonly every: number
  /** Returns when all is done. When the signal asks for an end, it throws at the next good moment: `signal.throwIfAborted()`. */
  run(signal: AbortSignal): Promise<void>
}

export interface RecurringJobsOptions {
  database: Pick<Database, 'atDoor'>
  jobs: readonly RecurringJob[]
  log: (line: Record<string, unknown>) => void
  /** For tests; otherwise the database's clock counts, because that is the one clock all nodes share. */
  now?: () => Date
  /** How long a node may be silent before another takes over its run; ms. */
  lease?: number
  /** How often a node looks for something to do; ms. */
  poll?: number
  /** How long `stop` waits for runs to end; ms. */
  grace?: number
}

export interface RecurringJobs {
  start(): void
  stop(): Promise<void>
}

/** How many jobs one node runs at once. */
const mostAtOnce = 3

/** A run that failed comes again after so many ms, or at its usual time if that is sooner. */
const retryAfter = 60_000

/**
 * Over all nodes of an installation each due run happens once. The node that runs a job holds its row by a lease, and by the
 * lease's token: a node that was silent for too long finds another token there, and can neither prolong nor finish the run.
 */
export function openRecurringJobs({
  database,
  jobs,
  log,
  now,
  lease = 60_000,
  poll = 5000,
  grace = 3000,
}: RecurringJobsOptions): RecurringJobs {
  const { atDoor } = database
  const at = () => (now ? sql`${now()}::timestamptz` : sql`now()`)
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    let introduced = false
    while (!stopping.signal.aborted) {
      try {
        if (!introduced) await introduce()
        introduced = true
        await startDue()
      } catch (error) {
        log({ level: 'error', error: `looking for recurring jobs: ${told(error)}` })
      }
      await sleep(poll * (0.8 + 0.4 * Math.random()), undefined, { signal: stopping.signal, ref: false }).catch(
        () => {},
      )
    }
  }

  /** Jobs that are new here first run soon, but not all at the same moment. */
  async function introduce(): Promise<void> {
    await atDoor`insert into job (name, next_run)
      select name, ${at()} + random() * ${ms(poll)} from unnest(${jobs.map(job => job.name)}::text[]) as name
      on conflict (name) do nothing`
  }

  async function startDue(): Promise<void> {
    const idle = jobs.filter(job => !running.has(job.name))
    const free = Math.min(idle.length, mostAtOnce - running.size)
    if (free <= 0) return
    const token = newId()
    const asked = performance.now()
    for (const name of await claim(idle, free, token)) {
      const job = idle.find(each => each.name === name)
      if (!job) continue
      const run = work(job, token, asked)
      running.set(
        name,
        run.finally(() => running.delete(name)),
      )
    }
  }

  /** A row is due when its time has come, or lies so far ahead that the clock or the interval must have changed since. */
  async function claim(idle: readonly RecurringJob[], free: number, token: Id): Promise<string[]> {
    const rows = await atDoor<{ name: string }>`
      with due as materialized (
        select job.name from job
        join unnest(${idle.map(job => job.name)}::text[], ${idle.map(job => job.every)}::float8[]) as known (name, every) on known.name = job.name
        where (next_run <= ${at()} or next_run > ${at()} + known.every * interval '2 milliseconds' + ${ms(poll)})
          and (leased_until is null or leased_until <= ${at()})
        order by next_run limit ${free} for update of job skip locked)
      update job set lease = ${token}, leased_until = ${at()} + ${ms(lease)} from due where job.name = due.name returning job.name`
    return rows.map(row => row.name)
  }

  async function work(job: RecurringJob, token: Id, asked: number): Promise<void> {
    const held = hold(job, token, asked)
    const signal = AbortSignal.any([stopping.signal, held.lost])
    const outcome = await attempt(job, signal)
    held.release()
    if (outcome.error && !signal.aborted) log({ level: 'error', job: job.name, error: told(outcome.error) })
    if (held.lost.aborted)
      return log({ level: 'warn', job: job.name, error: 'the lease was lost; another node takes over' })
    try {
      await finish(job, token, asked, outcome)
    } catch (error) {
      log({ level: 'error', job: job.name, error: `not marked as done, so it will run again: ${told(error)}` })
    }
  }

  /** Prolongs the lease while the run lasts, and says so when it is lost or can no longer be known to hold. */
  function hold(job: RecurringJob, token: Id, asked: number): { lost: AbortSignal; release(): void } {
    const lost = new AbortController()
    const lose = () => lost.abort(new Error('the lease was lost'))
    const endFrom = (since: number) => setTimeout(lose, Math.max(0, since + lease * 0.9 - performance.now())).unref()
    let end = endFrom(asked)
    let released = false
    const renewals = setInterval(async () => {
      const since = performance.now()
      try {
        const kept =
          await atDoor`update job set leased_until = ${at()} + ${ms(lease)} where name = ${job.name} and lease = ${token} returning name`
        clearTimeout(end)
        if (kept.length === 0) lose()
        else if (!released) end = endFrom(since)
      } catch {} // the next one may get through; if none does, `end` comes
    }, lease / 3).unref()
    return {
      lost: lost.signal,
      release() {
        released = true
        clearInterval(renewals)
        clearTimeout(end)
      },
    }
  }

  async function finish(job: RecurringJob, token: Id, asked: number, { error }: Outcome): Promise<void> {
    const cutShort = error !== undefined && stopping.signal.aborted
    const wait = error ? Math.min(job.every, retryAfter) : job.every
    // However many runs were missed, the next one is an interval away from this one; a little more, so that jobs drift apart.
    const next = cutShort
      ? sql`next_run`
      : sql`${at()} + ${ms(Math.max(0, wait * (1 + Math.random() / 10) - (performance.now() - asked)))}`
    const message = cutShort ? sql`last_error` : sql`${error ? told(error).slice(0, 1000) : null}`
    const last = cutShort ? sql`last_run` : at()
    await atDoor`update job set lease = null, leased_until = null, next_run = ${next}, last_run = ${last}, last_error = ${message}
      where name = ${job.name} and lease = ${token}`
  }

  return {
    start() {
      looking ??= look()
    },
    async stop() {
      stopping.abort(new Error('the service is stopping'))
      const ended = (async () => {
        await looking
        await Promise.all(running.values())
      })()
      await Promise.race([ended, sleep(grace, undefined, { ref: false })])
    },
  }
}

interface Outcome {
  error?: unknown
}

async function attempt(job: RecurringJob, signal: AbortSignal): Promise<Outcome> {
  try {
    signal.throwIfAborted()
    await job.run(signal)
    return {}
  } catch (error) {
    return { error: error ?? new Error('failed without a reason') }
  }
}

const ms = (count: number): Sql => sql`${count}::float8 * interval '1 millisecond'`

const told = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
