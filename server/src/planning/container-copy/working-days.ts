import { Temporal } from 'temporal-polyfill'

const isWorkingDay = (day: Temporal.PlainDate) => day.dayOfWeek <= 5

/** How many working days, Monday to Friday, lie from one day to another; negative if it lies before. */
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

/** The day so many working days on. One that fell on a weekend stays on the weekend's side: it counts from the Friday before. */
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
