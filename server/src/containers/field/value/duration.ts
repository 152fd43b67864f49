import type { FieldRules, ValueFault } from './value-types.ts'

/** The minutes of a working day. */
const dayMinutes = 8 * 60

const most = 2_147_483_647

/** `150`, `"150"`, `"2d 3h 15m"`, `"2:30"` and `"2.5h"` as whole minutes, in the units that the field takes. */
export function readDuration(field: FieldRules, given: unknown): number | ValueFault {
  const written = typeof given === 'string' ? readWritten(given.trim()) : { minutes: given, units: [] }
  const { minutes, units } = written ?? {}
  if (typeof minutes !== 'number' || !Number.isInteger(minutes) || minutes < 0) {
    return { code: 'duration', message: 'must be whole minutes, or a duration such as 2d 3h 15m, 2:30 or 2.5h' }
  }
  if (minutes > most) return { code: 'range', message: `must be at most ${most} minutes` }
  const taken = unitsOf(field)
  if (units?.some(unit => !taken.includes(unit)))
    return { code: 'unit', message: `must be given in ${taken.join(' and ')}` }
  return minutes
}

type Unit = 'days' | 'hours' | 'minutes'

const clock = /^(\d{1,8}):([0-5]\d)$/
const parts =
  /^(?:(\d{1,8}(?:\.\d{1,6})?)\s*d)?\s*(?:(\d{1,8}(?:\.\d{1,6})?)\s*h)?\s*(?:(\d{1,8}(?:\.\d{1,6})?)\s*m)?$/i

/** The minutes of a text, rounded, and the units in which it was written. */
function readWritten(text: string): { minutes: number; units: Unit[] } | undefined {
  // Plain minutes are the stored form that replies contain, so they are accepted whatever units the field takes.
  if (/^\d{1,12}$/.test(text)) return { minutes: Number(text), units: [] }
  const [, whole, rest] = clock.exec(text) ?? []
  if (whole) return { minutes: Number(whole) * 60 + Number(rest), units: ['hours', 'minutes'] }
  const [, days, hours, minutes] = parts.exec(text) ?? []
  const units: Unit[] = [
    ...(days ? ['days' as const] : []),
    ...(hours ? ['hours' as const] : []),
    ...(minutes ? ['minutes' as const] : []),
  ]
  if (units.length === 0) return undefined
  return { minutes: Math.round(Number(days ?? 0) * dayMinutes + Number(hours ?? 0) * 60 + Number(minutes ?? 0)), units }
}

/** An empty choice of units means all units. */
function unitsOf({ allowDay, allowHour, allowMinute }: FieldRules): Unit[] {
  if (!allowDay && !allowHour && !allowMinute) return ['days', 'hours', 'minutes']
  return [
    ...(allowDay ? ['days' as const] : []),
    ...(allowHour ? ['hours' as const] : []),
    ...(allowMinute ? ['minutes' as const] : []),
  ]
}
