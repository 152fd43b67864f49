import { dayOf } from '../dates/day-input.ts'
import { dayText } from '../dates/days.ts'
import type { FieldChoice } from '../fields/field-type.ts'
import { fold } from '../fields/values.ts'
import { say } from './messages.ts'

// Days that move with the calendar, `@today+2w`, and spans of time, `P7D`, as the service reads them.

const words = (): Record<string, string> => ({
  '@today': say.today,
  '@today+1d': say.tomorrow,
  '@yesterday': say.yesterday,
  '@startOfWeek': say.startOfWeek,
  '@endOfWeek': say.endOfWeek,
  '@startOfMonth': say.startOfMonth,
  '@endOfMonth': say.endOfMonth,
})

const units = (): Record<string, (count: number) => string> => ({
  h: say.hours,
  d: say.days,
  w: say.weeks,
  m: say.months,
})

/** The choices of a day: those that move, and the day that is typed. */
export function dayChoices(text: string, today: string): FieldChoice[] {
  const moving = Object.entries(words())
    .map(([value, label]) => ({ value, label }))
    .filter(({ label }) => fold(label).includes(fold(text)))
  const [, sign, count, unit = 'd'] = /^([+-])(\d{1,4})([dwmh])?$/.exec(text.trim()) ?? []
  const shift = count
    ? [
        {
          value: `@today${sign}${count}${unit}`,
          label: text.trim(),
          hint: momentName(`@today${sign}${count}${unit}`, today),
        },
      ]
    : []
  const day = count ? undefined : dayOf(text, today)
  return [...shift, ...(day ? [{ value: day, label: text.trim(), hint: dayText(day, today) }] : []), ...moving]
}

/** `@today+2w` → `today + 2 weeks`, `2026-11-20` → `20 Nov` */
export function momentName(value: string, today: string): string {
  const word = words()[value]
  if (word) return word
  const [, base = '', sign, count, unit = 'd'] = /^(@[a-z]+)(?:([+-])(\d+)([hdwmy]))?$/i.exec(value) ?? []
  if (base) return `${words()[base] ?? base} ${sign === '-' ? '−' : '+'} ${units()[unit]?.(Number(count)) ?? count}`
  return /^\d{4}-\d\d-\d\d$/.test(value) ? dayText(value, today) : value
}

const usual = ['P1D', 'P3D', 'P1W', 'P2W', 'P1M', 'P3M']

/** The choices of a span: the usual ones, and what is typed: `10d`, `3w`. */
export function spanChoices(text: string): FieldChoice[] {
  const [, count, unit = 'd'] = /^(\d{1,4}) ?([hdwm])?/.exec(text.trim().toLowerCase()) ?? []
  const typed = count ? [spanOf(Number(count), unit)] : []
  const others = usual.filter(value => fold(spanName(value)).includes(fold(text)))
  return [...new Set([...typed, ...others])].map(value => ({ value, label: spanName(value) }))
}

const spanOf = (count: number, unit: string) => (unit === 'h' ? `PT${count}H` : `P${count}${unit.toUpperCase()}`)

/** `P2W` → `2 weeks` */
export function spanName(value: string): string {
  const [, count, unit] = /^PT?(\d+)([HDWM])$/.exec(value) ?? []
  return count && unit ? (units()[unit.toLowerCase()]?.(Number(count)) ?? value) : value
}
