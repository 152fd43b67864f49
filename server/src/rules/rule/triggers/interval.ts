import { Temporal } from 'temporal-polyfill'
import { rruleFault } from '../../../language/recurrence/recurrence.ts'

/** Returns what is wrong with a `triggerInterval`; undefined if it is valid or the trigger needs none. */
export function intervalFault(trigger: string, text: string): string | undefined {
  const given = text.trim()
  switch (trigger) {
    case 'schedule':
      return scheduleFault(given)
    case 'dateField':
      return offsetFault(given)
    case 'inactivity':
      return durationFault(given)
    default:
      return undefined
  }
}

function scheduleFault(text: string): string | undefined {
  if (/^P/i.test(text)) return durationFault(text)
  if (/^(RRULE:)?[A-Z]+=/i.test(text)) return rruleFault(text)
  if (text.split(/\s+/).length === 5) return cronFault(text)
  return 'must be a duration such as PT4H, five cron fields such as 0 8 * * MON-FRI, or an RRULE such as FREQ=WEEKLY;BYDAY=MO'
}

/** A duration must be at least a minute, because shorter intervals only cause load. */
function durationFault(text: string): string | undefined {
  const duration = readDuration(text)
  if (!duration) return 'must be an ISO 8601 duration such as PT4H or P7D'
  if (duration.sign < 0) return 'must not be negative'
  const { years, months, weeks, days, hours, minutes, seconds } = duration
  if (years + months + weeks + days > 0) return undefined
  return hours * 3600 + minutes * 60 + seconds < 60 ? 'must be at least a minute' : undefined
}

/** Whether a debounce time is invalid; it is limited to a day. */
export function waitFault(text: string): boolean {
  const duration = readDuration(text.trim())
  if (!duration || duration.sign < 0 || duration.years || duration.months || duration.weeks) return true
  return duration.total('milliseconds') > 24 * 3600_000
}

/** Returns a debounce time in ms, 0 if it is invalid. */
export function waitOf(text: string): number {
  return waitFault(text) ? 0 : (readDuration(text.trim())?.total('milliseconds') ?? 0)
}

/** `-P2D@dueDate`: a duration before or after a date of the item. */
function offsetFault(text: string): string | undefined {
  const [, offset, path] = /^([+-]?P[^@]*)@([A-Za-z][\w.-]*)$/i.exec(text) ?? []
  if (!offset || !path || !readDuration(offset)) return 'must be an offset from a date, such as -P2D@dueDate'
  return undefined
}

/** Returns the offset and the path of the date; undefined if the text is invalid. */
export function readOffset(text: string): { offset: Temporal.Duration; path: string } | undefined {
  if (offsetFault(text.trim())) return undefined
  const [sign, path = ''] = text.trim().split('@')
  const offset = readDuration(sign ?? '')
  return offset && { offset, path }
}

export function readDuration(text: string): Temporal.Duration | undefined {
  try {
    return Temporal.Duration.from(text)
  } catch {
    return undefined
  }
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

interface CronField {
  name: string
  min: number
  max: number
  words?: readonly string[]
}

const cronFields: readonly CronField[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: months },
  { name: 'day of the week', min: 0, max: 7, words: days },
]

function cronFault(text: string): string | undefined {
  const parts = text.toLowerCase().split(/\s+/)
  const values = cronFields.map((field, i) => cronValues(parts[i] ?? '', field))
  const wrong = values.findIndex(each => !each)
  if (wrong >= 0) return `the ${cronFields[wrong]?.name} of a cron schedule cannot be read`
  const [, , dayOfMonth = [], month = []] = values
  // If a weekday is given too, cron runs when either matches, and every weekday occurs.
  if (!parts[4]?.startsWith('*') || month.some(m => dayOfMonth.some(day => day <= daysIn(m)))) return undefined
  return 'has a day that none of the months has'
}

function daysIn(month: number): number {
  return new Date(Date.UTC(2024, month, 0)).getUTCDate()
}

/** Reads `*`, `7`, `mon-fri`, a step such as `0-59/15`, and lists of these; undefined if the text is invalid. */
function cronValues(text: string, field: CronField): number[] | undefined {
  const values: number[] = []
  for (const part of text.split(',')) {
    const [, from = '', to, step = '1'] = /^(\*|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d{1,4}))?$/.exec(part) ?? []
    const everything = from === '*'
    const low = everything ? field.min : cronNumber(from, field)
    const high = everything || (to === undefined && part.includes('/')) ? field.max : cronNumber(to ?? from, field)
    if (low === undefined || high === undefined || low > high || Number(step) < 1 || (everything && to))
      return undefined
    for (let value = low; value <= high; value += Number(step)) values.push(value)
  }
  return values
}

function cronNumber(text: string, { min, max, words = [] }: CronField): number | undefined {
  const word = words.indexOf(text)
  const value = word >= 0 ? word + (words.length === 12 ? 1 : 0) : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}
