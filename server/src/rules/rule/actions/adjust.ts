import { Temporal } from 'temporal-polyfill'
import { RuleBroken } from '../../../kernel/refusal.ts'

/** Adds to a number (`+2`, `-1.5`) or to a date (`+2d`, `-1w`, `+P1M`, `+P3D(working)`). An empty date counts from today. */
export function adjusted(
  now: unknown,
  text: string,
  kind: 'number' | 'date' | 'instant',
  today: Temporal.PlainDate,
): unknown {
  const [, sign = '+', amount = '', working] = /^\s*([+-]?)\s*(.+?)\s*(\(working\))?\s*$/i.exec(text) ?? []
  const by = sign === '-' ? -1 : 1
  if (kind === 'number') {
    if (!/^\d+(\.\d+)?$/.test(amount)) throw unreadableAdjustment(text)
    return Math.round(((typeof now === 'number' ? now : Number(now) || 0) + by * Number(amount)) * 1e9) / 1e9
  }
  const duration = durationOf(amount, text)
  const start = typeof now === 'string' && now !== '' ? now : today.toString()
  if (working && kind === 'date')
    return workingDays(
      Temporal.PlainDate.from(start.slice(0, 10)),
      by * (duration.weeks * 5 + duration.days),
    ).toString()
  const step = by < 0 ? duration.negated() : duration
  if (kind === 'date') return Temporal.PlainDate.from(start.slice(0, 10)).add(step).toString()
  const moment = start.includes('T')
    ? Temporal.Instant.from(start).toZonedDateTimeISO('UTC')
    : today.toZonedDateTime('UTC')
  return moment.add(step).toInstant().toString()
}

const units: Readonly<Record<string, string>> = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' }

function durationOf(amount: string, text: string): Temporal.Duration {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdwmy])$/i.exec(amount) ?? []
  try {
    if (count) return Temporal.Duration.from({ [units[unit.toLowerCase()] ?? 'days']: Number(count) })
    return Temporal.Duration.from(amount)
  } catch {
    throw unreadableAdjustment(text)
  }
}

/** Working days are Monday to Friday. */
function workingDays(day: Temporal.PlainDate, count: number): Temporal.PlainDate {
  let [at, left] = [day, Math.min(Math.abs(count), 10_000)]
  while (left > 0) {
    at = at.add({ days: Math.sign(count) })
    if (at.dayOfWeek <= 5) left--
  }
  return at
}

function unreadableAdjustment(text: string): RuleBroken {
  return new RuleBroken('unreadable-adjustment', `${text} is neither a number nor a duration`)
}
