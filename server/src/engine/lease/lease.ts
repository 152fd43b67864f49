import type { Id } from '../../kernel/id.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'

// A lease is the right of one process to do work that other processes could do as well. It is stored in a row: a token
// names the holder, a time says when the lease expires. The holder renews the lease while the work lasts; when it stops
// renewing, another process takes over. Every statement of the holder checks the token, so a holder that lost its lease
// without noticing changes nothing.

/** The time source of leases. Tests pass a clock that they advance themselves. */
export interface MonotonicClock {
  /** Milliseconds since an arbitrary start; the value never decreases. */
  now(): number
  /** Calls `act` after `ms`, or at once if that time has passed already. Returns a function that cancels the call. */
  after(ms: number, act: () => void): () => void
}

/** The clock of the process. Its timers do not keep the process alive. */
export const processClock: MonotonicClock = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, Math.max(0, ms)).unref()
    return () => clearTimeout(timer)
  },
}

interface Lease {
  /** Aborted when another process holds the lease, or may hold it because renewals have failed for too long. */
  readonly lost: AbortSignal
  /** Stops the renewals because the work has ended. The statement that records the result also frees the row. */
  release(): void
}

interface LeasesOptions<T> {
  /** How long a holder that does not renew is considered alive; ms. */
  length: number
  /** Renews these leases in the database and returns those that this process still held. */
  renew(held: readonly T[]): Promise<readonly T[]>
  clock?: MonotonicClock
}

export interface Leases<T> {
  /**
   * Starts to renew a lease that was acquired by a statement sent at `asked`, measured by the clock of these leases.
   */
  hold(what: T, asked: number): Lease
  readonly clock: MonotonicClock
}

/**
 * Fractions of a lease's length: the interval of the checks, the age at which a lease is renewed, and the age at which
 * a lease that was not renewed counts as lost.
 */
const look = 0.1
const renewAfter = 0.3
const lostAfter = 0.8

interface Held<T> {
  readonly what: T
  readonly lost: AbortController
  /** The time at which the statement was sent that acquired the lease or last renewed it. */
  since: number
}

/** Keeps the leases of one kind that a process holds. One timer and one statement renew all of them. */
export function openLeases<T>({ length, renew, clock = processClock }: LeasesOptions<T>): Leases<T> {
  const held = new Set<Held<T>>()
  let cancelLook: (() => void) | undefined
  let renewing = false

  function lookSoon(wait: number): void {
    cancelLook?.()
    cancelLook = clock.after(wait, lookAtAll)
  }

  function lookAtAll(): void {
    const now = clock.now()
    for (const each of held) if (now - each.since >= length * lostAfter) lose(each)
    if ([...held].some(each => now - each.since >= length * renewAfter)) void renewAll()
    lookAgain()
  }

  /** Schedules the next check, at the latest for the moment when the first lease counts as lost. */
  function lookAgain(): void {
    if (held.size === 0) return
    const oldest = Math.min(...[...held].map(each => each.since))
    lookSoon(Math.min(length * look, oldest + length * lostAfter - clock.now()))
  }

  function lose(each: Held<T>): void {
    held.delete(each)
    each.lost.abort(new Error('the lease was lost'))
  }

  async function renewAll(): Promise<void> {
    if (renewing) return
    renewing = true
    const [asked, some] = [clock.now(), [...held]]
    try {
      const kept = new Set(await renew(some.map(each => each.what)))
      for (const each of some) {
        if (kept.has(each.what)) each.since = asked
        else if (held.has(each)) lose(each)
      }
    } catch {} // a later renewal may succeed; if none does, the leases count as lost in time
    renewing = false
  }

  return {
    clock,
    hold(what, asked) {
      const mine: Held<T> = { what, lost: new AbortController(), since: asked }
      held.add(mine)
      // The statement may have returned late, even after the lease expired, so the check cannot wait for its turn.
      if (held.size === 1 || clock.now() - asked > length * renewAfter) lookAgain()
      return {
        lost: mine.lost.signal,
        release() {
          held.delete(mine)
          if (held.size === 0) cancelLook?.()
        },
      }
    },
  }
}

/** The SQL of a lease on rows with the columns `lease` (the token) and `leased_until`. */
interface LeaseSql {
  /** For `set`: gives the row to the holder for the length of a lease, starting now. */
  readonly acquire: Sql
  /** For `set`: extends the lease by its length, starting now. */
  readonly renew: Sql
  /** For `set`: frees the row. */
  readonly release: Sql
  /** For `where`: the holder of this token holds the row. */
  readonly isHeld: Sql
  /** For `where`: the row is not leased, or its lease has expired. */
  readonly isFree: Sql
}

interface LeaseSqlOptions {
  token: Id
  /** The length of the lease; ms. */
  length: number
  /** The current time; that of the database unless a test passes its own. */
  now?: Sql
  /** The name of the table in the statement, where the column names alone are ambiguous. */
  table?: string
}

export function leaseSql({ token, length, now = sql`now()`, table }: LeaseSqlOptions): LeaseSql {
  return {
    acquire: sql`lease = ${token}, leased_until = ${now} + ${milliseconds(length)}`,
    renew: sql`leased_until = ${now} + ${milliseconds(length)}`,
    release: sql`lease = null, leased_until = default`,
    isHeld: sql`${column('lease', table)} = ${token}`,
    isFree: isFree(table, now),
  }
}

/** For `where`: the row is not leased, or its lease has expired. */
export function isFree(table?: string, now: Sql = sql`now()`): Sql {
  const until = column('leased_until', table)
  return sql`(${until} is null or ${until} <= ${now})`
}

const column = (name: 'lease' | 'leased_until', table?: string) => raw(table ? `${table}.${name}` : name)

/** A duration in SQL. */
export const milliseconds = (count: number): Sql => sql`${count}::float8 * interval '1 millisecond'`
