import { Temporal } from 'temporal-polyfill'
import type { Id } from '../../kernel/id.ts'
import { interval as intervalCode, limiter as limiterCode, minLimiterCap } from './notification-codes.ts'

/** A record that answers the question now. */
export interface MatchingItem {
  id: Id
  updated: Date
  version: number
}

/** What is known of a record from earlier runs. */
export interface KnownItem {
  toldAt: Date | null
  matching: boolean
  /** Which it had when the question was last asked. */
  version: number
}

interface EarlierRuns {
  now: Date
  timezone: string
  lastRun: Date | null
  known: ReadonlyMap<Id, KnownItem>
}

/** A change counts from the moment it began: one that was under way when the question was asked is seen the next time; ms. */
const slow = 60_000

/** What the codes of `limiter` let through: which of the matches are told this time. */
export function limitMatches(
  limiter: number,
  matches: readonly MatchingItem[],
  { now, timezone, lastRun, known }: EarlierRuns,
): Id[] {
  const period = limiter === limiterCode.oncePerDay ? dayOf : weekOf
  const told = (id: Id) => known.get(id)?.toldAt ?? null
  const passes: Record<number, (match: MatchingItem) => boolean> = {
    [limiterCode.newMatches]: ({ id }) => !known.get(id)?.matching || told(id) === null,
    [limiterCode.oncePerRecord]: ({ id }) => told(id) === null,
    [limiterCode.oncePerDay]: ({ id }) => period(told(id), timezone) !== period(now, timezone),
    [limiterCode.oncePerWeek]: ({ id }) => period(told(id), timezone) !== period(now, timezone),
    [limiterCode.changedOnly]: ({ id, updated, version }) => {
      const before = known.get(id)
      if (before) return before.version !== version
      return lastRun === null || updated.getTime() > lastRun.getTime() - slow
    },
  }
  return matches.filter(passes[limiter] ?? (() => true)).map(match => match.id)
}

/** Whether something answers the question that did not the last time it was asked. */
export const hasGained = (matches: readonly MatchingItem[], known: ReadonlyMap<Id, KnownItem>): boolean =>
  matches.some(({ id }) => !known.get(id)?.matching)

/** Whether single records are remembered for it: for what is told once, what was changed, and what was not there before. */
export const remembersItems = ({ limiter, interval }: { limiter: number; interval: number }): boolean =>
  (limiter >= limiterCode.newMatches && limiter <= limiterCode.changedOnly) || interval === intervalCode.onGain

/** How many records a message names. */
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
