// The days on which a recurrence rule can hold, computed with whole numbers. The calendar library needs up to 10 ms for one
// year, so a rule that never holds is recognised here, before the library tries one period after another.

/** The calendar repeats after 400 years, so a rule that holds on no day of this many never holds. */
const calendarDays = 146_097

export type RuleParts = ReadonlyMap<string, string>

/** Returns the first day (in days since 1970) from a day on on which the rule can hold; undefined if it never holds. */
export function nextPossibleDay(parts: RuleParts, from: number): number | undefined {
  const possible = dayFilter(parts)
  const day = walkFrom(from)
  for (let tries = 0; tries < calendarDays; tries++, advance(day)) if (possible(day)) return day.number
  return undefined
}

/** Whether one period of the rule can have as many occurrences as `BYSETPOS` counts. */
export function hasPosition(parts: RuleParts): boolean {
  const positions = numbers(parts.get('BYSETPOS'))
  return !positions || Math.min(...positions.map(Math.abs)) <= maxInPeriod(parts)
}

interface Day {
  number: number
  year: number
  month: number
  date: number
  monthLength: number
  yearDay: number
  yearLength: number
}

/** Excludes no day on which the rule holds, and at least the days that no single part allows. */
function dayFilter(parts: RuleParts): (day: Day) => boolean {
  const months = numbers(parts.get('BYMONTH'))
  const weeks = numbers(parts.get('BYWEEKNO'))
  const days = parts.get('BYDAY')?.split(',')
  // The library lets one part decide alone in a year: weeks before days of the year before ordinals such as 2MO.
  const byYearDay = parts.get('FREQ') === 'YEARLY' && parts.has('BYYEARDAY')
  const yearDays = weeks ? undefined : numbers(parts.get('BYYEARDAY'))
  const dates = weeks || byYearDay || days?.some(each => each.length > 2) ? undefined : numbers(parts.get('BYMONTHDAY'))
  // The ordinal counts in the month or in the year; the weekday alone excludes enough.
  const weekdays = byYearDay ? undefined : days?.map(each => weekdayNames.indexOf(each.slice(-2)))
  const allows = (wanted: readonly number[] | undefined, value: number, size: number) =>
    !wanted || wanted.includes(value) || wanted.includes(value - size - 1)
  return ({ number, month, date, monthLength, yearDay, yearLength }) =>
    (!months || months.includes(month)) &&
    (!weekdays || weekdays.includes((number + 3) % 7)) &&
    allows(dates, date, monthLength) &&
    allows(yearDays, yearDay, yearLength) &&
    (!weeks || weeks.some(week => isNearWeek(week, yearDay)))
}

/** Whether a day can be in a week of a year; the first and last days of a year can be in weeks of another. */
function isNearWeek(week: number, yearDay: number): boolean {
  if (yearDay <= 7 || yearDay >= 359) return true
  const near = (number: number) => yearDay > 7 * (number - 2) && yearDay <= 7 * (number + 1)
  return week > 0 ? near(week) : near(week + 53) || near(week + 54)
}

const weekdayNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const numbers = (text: string | undefined) => text?.split(',').map(Number)

/** Returns an upper bound for the occurrences in one period of the rule. */
export function maxInPeriod(parts: RuleParts): number {
  const frequency = parts.get('FREQ')
  const size = (part: string) => new Set(parts.get(part)?.split(',') ?? ['']).size
  if (frequency === 'MINUTELY') return 1
  if (frequency === 'HOURLY') return size('BYMINUTE')
  const perDay = size('BYHOUR') * size('BYMINUTE')
  if (frequency === 'DAILY') return perDay
  if (frequency === 'WEEKLY') return size('BYDAY') * perDay
  if (!['BYDAY', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO'].some(each => parts.has(each)))
    return (frequency === 'YEARLY' ? size('BYMONTH') : 1) * perDay
  return maxDaysInPeriod(dayFilter(parts), frequency === 'MONTHLY') * perDay
}

function maxDaysInPeriod(possible: (day: Day) => boolean, monthly: boolean): number {
  const perPeriod = new Map<number, number>()
  // 28 years have every length of a year with every weekday as its first.
  for (const day = walkFrom(0); day.year < 1998; advance(day)) {
    const period = monthly ? day.year * 12 + day.month : day.year
    if (possible(day)) perPeriod.set(period, (perPeriod.get(period) ?? 0) + 1)
  }
  return Math.max(0, ...perPeriod.values())
}

function walkFrom(number: number): Day {
  const at = new Date(number * 86_400_000)
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
  const yearDay = (at.getTime() - Date.UTC(year, 0)) / 86_400_000 + 1
  return { number, year, month, date, yearDay, monthLength: monthLength(year, month), yearLength: yearLength(year) }
}

/** Moves to the next day; a new object for each day would make the walk through 400 years several times slower. */
function advance(day: Day): void {
  day.number++
  day.date++
  day.yearDay++
  if (day.date <= day.monthLength) return
  day.date = 1
  day.month++
  if (day.month > 12) {
    day.month = 1
    day.year++
    day.yearDay = 1
    day.yearLength = yearLength(day.year)
  }
  day.monthLength = monthLength(day.year, day.month)
}

const yearLength = (year: number) => (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 366 : 365)

function monthLength(year: number, month: number): number {
  if (month === 2) return yearLength(year) - 337
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
