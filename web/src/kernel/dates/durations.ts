import { number } from '../messages/messages.ts'

/** `90` → `1h 30m`; hours as people write numbers, or as `write` does. */
export function durationText(minutes: number, write = number): string {
  const hours = Math.trunc(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  const sign = minutes < 0 ? '−' : ''
  if (hours === 0) return `${sign}${rest}m`
  return `${sign}${write(hours)}h${rest === 0 ? '' : ` ${rest}m`}`
}

/** `4450` → `74h`: from ten hours on without minutes, where there is little room. */
export function shortDurationText(minutes: number): string {
  const unit = Math.abs(minutes) < 600 ? 1 : 60
  return durationText(Math.trunc(minutes / unit) * unit)
}

/** Minutes of what a person types: `1h30`, `1:30`, `90m`, `1.5h`, `2d`; undefined if it is no duration. */
export function durationOf(text: string, minutesOfDay = 480): number | undefined {
  const given = text.trim().toLowerCase().replace(',', '.')
  const clock = /^(\d+):([0-5]\d)$/.exec(given)
  if (clock) return Number(clock[1]) * 60 + Number(clock[2])
  const parts = /^(?:(\d+(?:\.\d+)?)d)?\s*(?:(\d+(?:\.\d+)?)h)?\s*(?:(\d+)m?)?$/.exec(given)
  if (!parts || given === '') return undefined
  const [, days = '0', hours = '0', minutes = '0'] = parts
  return Math.round(Number(days) * minutesOfDay + Number(hours) * 60 + Number(minutes))
}

/** `42` → `0:42` */
export function clockText(minutes: number): string {
  const whole = Math.floor(Math.max(0, minutes))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

export const minutesSince = (instant: string, now = Date.now()): number => (now - Date.parse(instant)) / 60_000
