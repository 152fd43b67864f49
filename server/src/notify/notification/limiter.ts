import { Temporal } from 'temporal-polyfill'
import type { Id } from '../../kernel/id.ts'
import { interval as intervalCode, limiter as limiterCode, minLimiterCap } from './notification-codes.ts'

/** An item that matches the conditions now. */
export interface MatchingItem {
  id: Id
  updated: Date
  version: number
}

/** The state of an item after earlier runs. */
export interface KnownItem {
  notifiedAt: Date | null
  matching: boolean
  /** The version of the item at the last run. */
  version: number
}

interface EarlierRuns {
  now: Date
  timezone: string
  lastRun: Date | null
  known: ReadonlyMap<Id, KnownItem>
}

/** A transaction that was open during the last run has an earlier `updated`, so changes this much older count too; ms. */
const commitDelay = 60_000

/** Returns the matches that this run reports according to the code of `limiter`. */
export function limitMatches(
  limiter: number,
  matches: readonly MatchingItem[],
  { now, timezone, lastRun, known }: EarlierRuns,
): Id[] {
  const period = limiter === limiterCode.oncePerDay ? dayOf : weekOf
  const notifiedAt = (id: Id) => known.get(id)?.notifiedAt ?? null
  const passes: Record<number, (match: MatchingItem) => boolean> = {
    [limiterCode.newMatches]: ({ id }) => !known.get(id)?.matching || notifiedAt(id) === null,
    [limiterCode.oncePerRecord]: ({ id }) => notifiedAt(id) === null,
    [limiterCode.oncePerDay]: ({ id }) => period(notifiedAt(id), timezone) !== period(now, timezone),
    [limiterCode.oncePerWeek]: ({ id }) => period(notifiedAt(id), timezone) !== period(now, timezone),
    [limiterCode.changedOnly]: ({ id, updated, version }) => {
      const before = known.get(id)
      if (before) return before.version !== version
      return lastRun === null || updated.getTime() > lastRun.getTime() - commitDelay
    },
  }
  return matches.filter(passes[limiter] ?? (() => true)).map(match => match.id)
}

/** Tells whether an item matches that did not match at the last run. */
export const hasGained = (matches: readonly MatchingItem[], known: ReadonlyMap<Id, KnownItem>): boolean =>
  matches.some(({ id }) => !known.get(id)?.matching)

/** Tells whether the limiter or the interval depends on the state of single items, which must be stored then. */
export const remembersItems = ({ limiter, interval }: { limiter: number; interval: number }): boolean =>
  (limiter >= limiterCode.newMatches && limiter <= limiterCode.changedOnly) || interval === intervalCode.onGain

/** Returns how many records a message lists. */
export const capOf = (limiter: number): number => (limiter >= minLimiterCap ? Math.min(limiter, maxNamed) : maxNamed)

const maxNamed = 1000

function dayOf(at: Date | null, timezone: string): string {
  return at ? zoned(at, timezone).toPlainDate().toString() : ''
}

function weekOf(at: Date | null, timezone: string): string {
  if (!at) return ''
  const { yearOfWeek, weekOfYear } = zoned(at, timezone)
  return `${yearOfWeek} ${weekOfYear}`
}

const zoned = (at: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)
