// The formats of property values. Validation checks them before anything is stored.

const date = /^(\d{4})-(\d{2})-(\d{2})$/
const instant = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:[Zz]|[+-](\d{2}):?(\d{2}))$/

/** Whether the text is a day that exists, in the years 1 to 9999. */
export function isDate(text: string): boolean {
  const parts = date.exec(text)
  if (!parts) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}

/** Whether the text is an instant with an offset, without which it would be ambiguous. */
export function isInstant(text: string): boolean {
  const parts = instant.exec(text)
  if (!parts?.[1] || !isDate(parts[1])) return false
  const [hour, minute, second] = [Number(parts[2]), Number(parts[3]), Number(parts[4] ?? 0)]
  if (hour > 23 || minute > 59 || second > 59) return false
  if (Number(parts[5] ?? 0) > 14 || Number(parts[6] ?? 0) > 59) return false
  const year = Number(parts[1].slice(0, 4))
  return year > 1 && year < 9999 // so that no offset leads out of the valid years
}

/** Returns an instant in the one notation that is stored and shown; the text must be an instant. */
export function instantOf(text: string): string {
  // Date guesses at notations that are not ISO 8601: with a blank instead of the T, the year 5 becomes 2005.
  const [day, time] = [text.slice(0, 10), text.slice(11).toUpperCase()]
  return new Date(`${day}T${time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')}`).toISOString()
}

const zones = new Set(Intl.supportedValuesOf('timeZone'))

function isTimezone(text: string): boolean {
  if (text === '' || zones.has(text)) return true
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

export function isTimeOfDay(text: string): boolean {
  return text === '' || /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text) || /^24:00(:00)?$/.test(text)
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Returns 1 for Monday to 7 for Sunday; undefined if the text names no day. */
export function weekday(text: string): number | undefined {
  if (/^[1-7]$/.test(text)) return Number(text)
  const short = text.toLowerCase()
  const index = weekdays.findIndex(day => day === short || day.slice(0, 3) === short || day.slice(0, 2) === short)
  return index < 0 ? undefined : index + 1
}

export function isUrl(text: string): boolean {
  if (text === '') return true
  if (!/^https?:\/\//i.test(text)) return false
  try {
    const url = new URL(text)
    return url.hostname !== '' && url.username === '' && url.password === ''
  } catch {
    return false
  }
}

export function isEmail(text: string): boolean {
  return text === '' || /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/.test(text)
}

export function isUuidV7(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(text)
}

export const formats: Record<string, { check(text: string): boolean; says: string }> = {
  date: { check: isDate, says: 'must be a date such as 2026-03-31' },
  'date-time': { check: isInstant, says: 'must be an ISO 8601 date-time with an offset, such as 2026-03-31T09:00:00Z' },
  timezone: { check: isTimezone, says: 'must be an IANA time zone such as Europe/Berlin' },
  'time-of-day': { check: isTimeOfDay, says: 'must be a time of day such as 09:00' },
  weekday: {
    check: text => text === '' || weekday(text) !== undefined,
    says: 'must be a weekday: its English name, or 1 (Monday) to 7',
  },
  decimal: { check: text => /^-?\d{1,400}(\.\d{1,400})?$/.test(text), says: 'must be a decimal such as 1234.5' },
  email: { check: isEmail, says: 'must be an e-mail address' },
  uuidv7: { check: text => text === '' || isUuidV7(text), says: 'must be a UUID of version 7, or absent' },
  url: { check: isUrl, says: 'must be a web address that begins with https:// or http:// and names no user' },
}
