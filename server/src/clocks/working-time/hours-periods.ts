import { type ClockHours, calendarOf, type HoursPart, type Region } from '../calendar/calendar.ts'
import { recalculateMode } from '../clock/recalculate-mode.ts'
import type { TimeSpan } from './time-span.ts'
import { roundTheClock, unionTime, type WorkingTime, workingTime } from './working-time.ts'

/** A version of the hours of a clock. Instants are ms. */
export interface HoursVersion {
  version: number
  /** When the version was saved. */
  made: number
  /** Since when it counts. */
  from: number
  /** What it counts again, see `recalculateMode`. */
  recalculate: number
  calendar: ClockHours
  /** The hours of each region of `calendar`, in their order. */
  regions?: readonly RegionVersions[]
}

/** A region, and the versions of the hours of its clock. */
interface RegionVersions {
  region: Region
  versions: readonly HoursVersion[]
}

/** The hours that count from an instant until the next period begins. */
export interface HoursPeriod {
  from: number
  time: WorkingTime
  /** The calendars that are counted together; none where every minute counts. */
  parts: readonly HoursPart[]
}

const maxKept = 100
const kept = new Map<string, WorkingTime>()

/**
 * The working time of the calendars of a clock: each minute in which one of them is open. Equal calendars share one in a
 * process, because its years are computed once.
 */
export function workingTimeOf(parts: readonly HoursPart[]): WorkingTime {
  const key = JSON.stringify(parts.map(each => calendarOf(each.calendar)))
  const known = kept.get(key) ?? timeOfParts(parts)
  kept.delete(key)
  kept.set(key, known)
  if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '')
  return known
}

function timeOfParts(parts: readonly HoursPart[]): WorkingTime {
  const [only] = parts
  return only && parts.length === 1 ? workingTime(only.calendar) : unionTime(parts.map(each => workingTimeOf([each])))
}

interface VersionInForce {
  from: number
  version: HoursVersion
}

/** The hours by which a cycle is counted. A region changes its hours by the versions of its own clock. */
export function periodsOf(versions: readonly HoursVersion[], ended: number | undefined): HoursPeriod[] {
  const own = versionsInForce(versions, ended)
  return own.flatMap(({ from, version }, i) => {
    const to = own[i + 1]?.from ?? Number.POSITIVE_INFINITY
    return version.regions
      ? regionPeriods(version.regions, ended, { from, to })
      : [periodOf(from, [{ calendar: version.calendar }])]
  })
}

const periodOf = (from: number, parts: readonly HoursPart[]): HoursPeriod => ({
  from,
  time: workingTimeOf(parts),
  parts,
})

/** A period begins with each version of the hours of a region. */
function regionPeriods(
  regions: readonly RegionVersions[],
  ended: number | undefined,
  { from, to }: TimeSpan,
): HoursPeriod[] {
  const all = regions.map(({ region, versions }) => ({ region, own: versionsInForce(versions, ended) }))
  const changes = all.flatMap(({ own }) => own.map(each => each.from)).filter(at => at > from && at < to)
  return [...new Set([from, ...changes])]
    .sort((a, b) => a - b)
    .map(at => {
      const parts = all.flatMap(({ region, own }) => {
        const calendar = own.findLast(each => each.from <= at)?.version.calendar
        return calendar ? [{ calendar, region }] : []
      })
      return periodOf(at, parts)
    })
}

/**
 * The versions that count for a cycle, and since when. A new version of the hours counts from its own start on. A version that
 * recalculates replaces the hours from the beginning of the cycle; those of a finished cycle only with `all`.
 */
function versionsInForce(versions: readonly HoursVersion[], ended: number | undefined): VersionInForce[] {
  const periods: VersionInForce[] = []
  const recalculates = ({ recalculate, made }: HoursVersion) =>
    recalculate === recalculateMode.all ||
    (recalculate === recalculateMode.open && (ended ?? Number.POSITIVE_INFINITY) >= made)
  for (const each of versions) {
    if (periods.length > 0 && !recalculates(each) && ended !== undefined && ended < each.made) continue
    const period = { from: each.from, version: each }
    if (periods.length === 0 || recalculates(each))
      periods.splice(0, periods.length, { ...period, from: Number.NEGATIVE_INFINITY })
    else {
      while ((periods.at(-1)?.from ?? 0) >= period.from) periods.pop()
      periods.push(periods.length === 0 ? { ...period, from: Number.NEGATIVE_INFINITY } : period)
    }
  }
  return periods
}

/** The hours of a target that counts every minute. */
export const everyMinute: readonly HoursPeriod[] = [{ from: Number.NEGATIVE_INFINITY, time: roundTheClock, parts: [] }]

/** The periods from an instant on; those of another clock can come before them. */
export function periodsFrom(periods: readonly HoursPeriod[], from: number): HoursPeriod[] {
  const at = periods.findLastIndex(period => period.from <= from)
  return periods.slice(at).map((period, i) => (i === 0 ? { ...period, from } : period))
}

/** Splits a span into the parts that lie in each period. */
export function splitByPeriod(
  periods: readonly HoursPeriod[],
  { from, to }: TimeSpan,
): (TimeSpan & { period: HoursPeriod })[] {
  return periods.flatMap((period, i) => {
    const until = periods[i + 1]?.from ?? Number.POSITIVE_INFINITY
    const part = { from: Math.max(from, period.from), to: Math.min(to, until) }
    return part.from < part.to ? [{ ...part, period }] : []
  })
}

/** How much of a span counts, in ms. */
export function countedTime(periods: readonly HoursPeriod[], span: TimeSpan): number {
  return splitByPeriod(periods, span).reduce((sum, { period, from, to }) => sum + period.time.between(from, to), 0)
}

/** The instant within a span (which may have no end) at which this amount has been counted; undefined if that never happens. */
export function instantAfter(periods: readonly HoursPeriod[], span: TimeSpan, amount: number): number | undefined {
  let left = amount
  for (const { period, from, to } of splitByPeriod(periods, span)) {
    if (to === Number.POSITIVE_INFINITY) return within(() => period.time.add(from, left))
    const open = period.time.between(from, to)
    if (open > 0 && left <= open) return within(() => period.time.add(from, left))
    left -= open
  }
  return undefined
}

/** Adding working time throws where no calendar reaches; such an instant does not exist. */
function within(find: () => number): number | undefined {
  try {
    return find()
  } catch {
    return undefined
  }
}
