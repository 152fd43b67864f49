import { Temporal } from 'temporal-polyfill'

const isWorkingDay = (day: Temporal.PlainDate) => day.dayOfWeek <= 5

/** The number of working days, Monday to Friday, from one day to another; negative if the second is earlier. */
export function workingDaysBetween(from: string, to: string): number {
  const [a, b] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const sign = Temporal.PlainDate.compare(a, b) <= 0 ? 1 : -1
  let count = 0
  for (let day = a; !day.equals(b); ) {
    day = day.add({ days: sign })
    if (isWorkingDay(day)) count += sign
  }
  return count
}

/** Adds working days to a date. A date on a weekend is counted from the Friday before. */
export function addWorkingDays(date: string, count: number): string {
  let day = Temporal.PlainDate.from(date)
  if (count === 0) return date
  while (!isWorkingDay(day)) day = day.subtract({ days: 1 })
  const sign = Math.sign(count)
  for (let left = Math.abs(count); left > 0; ) {
    day = day.add({ days: sign })
    if (isWorkingDay(day)) left--
  }
  return day.toString()
}
