import { addDays, daysBetween } from './days.ts'

// Days as people type them: `fri`, `+2w`, `12.3.`, `3 Dec`, in English and German.

const words: Readonly<Record<string, number>> = {
  today: 0,
  heute: 0,
  tomorrow: 1,
  morgen: 1,
  yesterday: -1,
  gestern: -1,
}

// From Sunday and from January, the names of both languages.
const weekdays = [
  ['sunday', 'sonntag'],
  ['monday', 'montag'],
  ['tuesday', 'dienstag'],
  ['wednesday', 'mittwoch'],
  ['thursday', 'donnerstag'],
  ['friday', 'freitag'],
  ['saturday', 'samstag'],
]
const months = [
  ['january', 'januar'],
  ['february', 'februar'],
  ['march', 'märz', 'maerz'],
  ['april'],
  ['may', 'mai'],
  ['june', 'juni'],
  ['july', 'juli'],
  ['august'],
  ['september'],
  ['october', 'oktober'],
  ['november'],
  ['december', 'dezember'],
]

const beginningOf = (names: readonly string[][], word: string, letters: number) =>
  word.length < letters ? -1 : names.findIndex(each => each.some(name => name.startsWith(word)))

/** The day that a person means, seen from today; undefined if it is no day. */
export function dayOf(text: string, now: string): string | undefined {
  const given = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const word = words[given]
  if (word !== undefined) return addDays(now, word)
  return shifted(given, now) ?? nextWeekday(given, now) ?? calendarDay(given, now)
}

/** `+3` `+2w` `-1m` */
function shifted(given: string, now: string): string | undefined {
  const [, sign, amount, unit = 'd'] = /^([+-])(\d{1,4}) ?([dtwmyj])?$/.exec(given) ?? []
  if (!amount) return undefined
  const count = Number(amount) * (sign === '-' ? -1 : 1)
  if (unit === 'm') return addMonths(now, count)
  if (unit === 'y' || unit === 'j') return addMonths(now, count * 12)
  return addDays(now, unit === 'w' ? count * 7 : count)
}

/** The last day of a shorter month stands for the days that it lacks. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const whole = year * 12 + month - 1 + count
  const at = [Math.floor(whole / 12), (whole % 12) + 1] as const
  return dayAt(at[0], at[1], Math.min(date, daysInMonth(at[0], at[1])))
}

export function daysInMonth(year: number, month: number): number {
  const next = month === 12 ? dayAt(year + 1, 1, 1) : dayAt(year, month + 1, 1)
  return daysBetween(dayAt(year, month, 1), next)
}

export function dayAt(year: number, month: number, date: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`
}

/** 0 is Sunday. 1 January 1970 was a Thursday. */
export const weekdayOf = (day: string): number => (((daysBetween('1970-01-01', day) + 4) % 7) + 7) % 7

function nextWeekday(given: string, now: string): string | undefined {
  const wanted = beginningOf(weekdays, given, 2)
  return wanted < 0 ? undefined : addDays(now, ((wanted - weekdayOf(now) + 6) % 7) + 1)
}

function calendarDay(given: string, now: string): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(given)
  if (iso) return existing(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const figures = /^(\d{1,2})[./] ?(\d{1,2})(?:[./] ?(\d{2}|\d{4})?)?$/.exec(given)
  if (figures) return inYear(figures[3], Number(figures[2]), Number(figures[1]), now)
  const named = /^(\d{1,2})\.? ([a-zäöü]+)\.?(?: (\d{4}))?$/.exec(given)
  if (named) return inYear(named[3], beginningOf(months, named[2] ?? '', 3) + 1, Number(named[1]), now)
  const english = /^([a-zäöü]+)\.? (\d{1,2})(?:,? (\d{4}))?$/.exec(given)
  if (english) return inYear(english[3], beginningOf(months, english[1] ?? '', 3) + 1, Number(english[2]), now)
  return undefined
}

/** A day without a year is the next one that comes. */
function inYear(year: string | undefined, month: number, date: number, now: string): string | undefined {
  if (year) return existing(year.length === 2 ? 2000 + Number(year) : Number(year), month, date)
  const own = Number(now.slice(0, 4))
  const here = existing(own, month, date)
  return here && here >= now ? here : (existing(own + 1, month, date) ?? here)
}

function existing(year: number, month: number, date: number): string | undefined {
  const fits = month >= 1 && month <= 12 && date >= 1 && date <= daysInMonth(year, month)
  return fits ? dayAt(year, month, date) : undefined
}
