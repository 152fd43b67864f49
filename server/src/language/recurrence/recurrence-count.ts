import type { Temporal } from 'temporal-polyfill'
import type { RuleParts } from './recurrence-days.ts'
import { dayMs, openRule, openSearch } from './recurrence-search.ts'

// How many occurrences a rule with `COUNT` has had.

/** The moments of rules with `COUNT`, as far as they were counted. */
const counts = new Map<string, { moments: readonly number[]; last: number }>()
const maxKnown = 500

/** Counts the occurrences of a rule up to a moment, at most its `COUNT`; what was counted before is not counted again. */
export function countedUntil(
  key: string,
  endless: RuleParts,
  dtstart: Temporal.ZonedDateTime,
  { count, moment }: { count: number; moment: number },
): number {
  if (isOver(endless, dtstart, count, moment)) return count
  const known = counts.get(key)
  const counted =
    known && (known.last >= moment || known.moments.length === count)
      ? known
      : countMoments(endless, dtstart, { count, moment, before: known?.moments ?? [] })
  counts.delete(key)
  counts.set(key, counted)
  if (counts.size > maxKnown) counts.delete(counts.keys().next().value ?? '')
  return counted.moments.filter(each => each <= moment).length
}

/** The longest time between two occurrences of a rule that only has a frequency. */
const longestPeriod: Record<string, number> = {
  MINUTELY: 60_000,
  HOURLY: 3_600_000,
  DAILY: 86_400_000,
  WEEKLY: 604_800_000,
}

/** Whether a regular series with so many occurrences has certainly ended; a change of the clock moves it by less than a day. */
function isOver(endless: RuleParts, dtstart: Temporal.ZonedDateTime, count: number, moment: number): boolean {
  const period = longestPeriod[endless.get('FREQ') ?? '']
  if (period === undefined || ![...endless.keys()].every(each => ['FREQ', 'INTERVAL', 'WKST'].includes(each)))
    return false
  return dtstart.epochMilliseconds + count * Number(endless.get('INTERVAL') ?? 1) * period + dayMs < moment
}

/** Lists the first occurrences of a rule up to a moment. */
function countMoments(
  endless: RuleParts,
  dtstart: Temporal.ZonedDateTime,
  { count, moment, before }: { count: number; moment: number; before: readonly number[] },
): { moments: readonly number[]; last: number } {
  const dense = before.length === 0 && isDense(endless) ? listMoments(endless, dtstart, { count, moment }) : undefined
  if (dense) return { moments: dense, last: moment }
  const search = openSearch(endless, dtstart)
  const moments = [...before]
  while (moments.length < count) {
    const next = search(moments.at(-1) ?? dtstart.epochMilliseconds - 1)?.epochMilliseconds
    if (next === undefined || next > moment) break
    moments.push(next)
  }
  return { moments, last: moment }
}

/** Whether nearly every period of a rule has an occurrence. */
function isDense(parts: RuleParts): boolean {
  const frequency = parts.get('FREQ') ?? ''
  const byTime = /^(HOURLY|MINUTELY)$/.test(frequency) && (parts.has('BYHOUR') || parts.has('BYDAY'))
  const limiting = ['BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYSETPOS', ...(frequency === 'YEARLY' ? [] : ['BYMONTH'])]
  const byDate = limiting.some(each => parts.has(each))
  return !byTime && !byDate && !/\d/.test(parts.get('BYDAY') ?? '')
}

/** Lists the first occurrences in one go; undefined if they are too far apart. */
function listMoments(
  parts: RuleParts,
  dtstart: Temporal.ZonedDateTime,
  { count, moment }: { count: number; moment: number },
): number[] | undefined {
  try {
    const times = openRule(parts, dtstart, maxDensity * count)
    const all = times.all((date, index) => index < count && date.epochMilliseconds <= moment)
    return all.slice(0, count).flatMap(({ epochMilliseconds: at }) => (at <= moment ? [at] : []))
  } catch {
    return undefined
  }
}

/** A daily rule for one weekday has an occurrence in every seventh period. */
const maxDensity = 8
