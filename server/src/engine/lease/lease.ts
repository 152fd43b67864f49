import type { Id } from '../../kernel/id.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'

// A lease is the right of one process to do something that others could do as well. It lies in a row: a token says who
// holds it, a time until when. The holder renews it while the work lasts; when it falls silent, another one takes over. All
// that the holder writes names the token, so one that has lost its lease without knowing it changes nothing.

/** What leases need of time. Tests have a clock that they turn by hand. */
export interface MonotonicClock {
  /** ms from some beginning; it never goes back. */
  now(): number
  /** Acts after so many ms, at once if they are over already; returns how to prevent it. */
  after(ms: number, act: () => void): () => void
}

/** The clock of the process. Nothing that waits by it keeps the process alive. */
export const processClock: MonotonicClock = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, Math.max(0, ms)).unref()
    return () => clearTimeout(timer)
  },
}

export interface Lease {
  /** Aborted when another process holds the lease, or may hold it because no renewal has got through for long. */
  readonly lost: AbortSignal
  /** The work has ended: the lease is renewed no more. Whoever writes how it ended frees the row by the same statement. */
  release(): void
}

export interface LeasesOptions<T> {
  /** How long a silent holder is believed to be alive; ms. */
  length: number
  /** Prolongs these leases in the database, and returns those that this process still held. */
  renew(held: readonly T[]): Promise<readonly T[]>
  clock?: MonotonicClock
}

export interface Leases<T> {
  /** Keeps the lease of something that was acquired by a statement sent at `asked`, by the clock of these leases. */
  hold(what: T, asked: number): Lease
  readonly clock: MonotonicClock
}

/** Shares of a lease's length: how often to look, when to renew, and when a lease that was not renewed counts as lost. */
const look = 0.1
const renewAfter = 0.3
const lostAfter = 0.8

interface Held<T> {
  readonly what: T
  readonly lost: AbortController
  /** When the statement was sent that acquired or last renewed it. */
  since: number
}

/** Keeps the leases of one kind that a process holds: all of them are renewed by one statement, and one timer. */
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

  /** Soon, and not later than the first lease counts as lost. */
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
    } catch {} // the next renewal may get through; if none does, the leases are lost by and by
    renewing = false
  }

  return {
    clock,
    hold(what, asked) {
      const mine: Held<T> = { what, lost: new AbortController(), since: asked }
      held.add(mine)
      // The answer may have come late, even when the lease was over already.
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
export interface LeaseSql {
  /** For `set`: makes the row the holder's for the length of a lease, from now on. */
  readonly acquire: Sql
  /** For `set`: prolongs it by the length of a lease. */
  readonly renew: Sql
  /** For `set`: leaves the row to whoever comes first. */
  readonly release: Sql
  /** For `where`: this token holds the row. */
  readonly isHeld: Sql
  /** For `where`: nobody holds the row, or the holder is silent. */
  readonly isFree: Sql
}

export interface LeaseSqlOptions {
  token: Id
  /** ms */
  length: number
  /** The time; that of the database, unless a test says otherwise. */
  now?: Sql
  /** The name of the table in the statement, where the columns alone are not clear. */
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

/** For `where`: nobody holds the row, or the holder is silent. */
export function isFree(table?: string, now: Sql = sql`now()`): Sql {
  const until = column('leased_until', table)
  return sql`(${until} is null or ${until} <= ${now})`
}

const column = (name: 'lease' | 'leased_until', table?: string) => raw(table ? `${table}.${name}` : name)

/** A span of time in SQL. */
export const milliseconds = (count: number): Sql => sql`${count}::float8 * interval '1 millisecond'`
