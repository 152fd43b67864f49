import type { Calendar } from '../calendar/calendar.ts'

// A reference implementation of working time for tests. It asks the platform for the local time and examines each minute
// by itself. It shares no arithmetic with the service, so that a mistake in either of them shows as a difference.

const minute = 60_000

/** Returns the local time of each minute from `from` on: minutes since 1970, as if the local time were UTC. */
export function wallMinutes(timezone: string, from: number, to: number): Int32Array {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone || 'UTC', timeZoneName: 'longOffset' })
  const offset = (instant: number): number => {
    const name = format.formatToParts(instant).find(part => part.type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes = '0'] = /GMT([+-])(\d\d):?(\d\d)?/.exec(name) ?? []
    return sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0
  }
  const shown = new Int32Array((to - from) / minute)
  const step = 360 // no zone changes twice in six hours
  for (let i = 0; i < shown.length; i += step) {
    const [first, last] = [offset(from + i * minute), offset(from + (i + step) * minute)]
    let changes = step
    if (first !== last) for (changes = 0; offset(from + (i + changes) * minute) === first; ) changes++
    for (let n = 0; n < step && i + n < shown.length; n++)
      shown[i + n] = from / minute + i + n + (n < changes ? first : last)
  }
  return shown
}

/** Returns for each of these minutes whether it is open: 1 or 0. */
export function openMinutes(calendar: Calendar, shown: Int32Array): Uint8Array {
  const open = new Uint8Array(shown.length)
  const at = (i: number) => shown[i] ?? 0
  let near = 0
  const last = Math.floor(at(shown.length - 1) / 1440)
  for (let day = Math.floor(at(0) / 1440) + 3; day <= last - 3; day++) {
    while (at(near) < (day - 1) * 1440) near++
    for (const [opens, closes] of shiftsOn(calendar, day * 1440)) {
      // The shift begins when the local time first reaches its start, and ends after the last minute before its end.
      let begin = near
      while (at(begin) < opens) begin++
      let end = begin
      for (let i = begin; i < Math.min(shown.length, begin + 3 * 1440); i++) if (at(i) < closes) end = i + 1
      for (let i = begin; i < end; i++) open[i] = 1
    }
  }
  return open
}

/** Returns the shifts that begin on the date with this midnight, in minutes, read directly from the calendar. */
function shiftsOn(calendar: Calendar, midnight: number): [opens: number, closes: number][] {
  const date = new Date(midnight * minute)
  const text = date.toISOString().slice(0, 10)
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  const shift = ({ start, end }: { start?: string; end?: string }): [number, number] => {
    const opens = start ? minutes(start) : 0
    const closes = end ? minutes(end) : 1440
    return [midnight + opens, midnight + (closes <= opens ? closes + 1440 : closes)]
  }
  const exception = calendar.exceptions.find(each => each.date === text)
  if (exception) return (exception.intervals ?? []).map(shift)
  for (const off of calendar.nonWorkingDay) {
    const [first = '', last = first] = off.split('/')
    if (off.startsWith('--') ? off.slice(2) === text.slice(5) : text >= first && text <= last) return []
  }
  if (calendar.holidays?.some(each => each.date === text)) return []
  const weekday = date.getUTCDay() === 0 ? 7 : date.getUTCDay()
  if (calendar.schedule.length > 0)
    return calendar.schedule.filter(each => each.day === weekday).flatMap(each => (each.intervals ?? []).map(shift))
  const names = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su']
  const number = (name: string, otherwise: number) =>
    name ? names.indexOf(name.slice(0, 2).toLowerCase()) + 1 : otherwise
  const [first, last] = [number(calendar.weekStart, 1), number(calendar.weekEnd, 7)]
  const worked = first <= last ? weekday >= first && weekday <= last : weekday >= first || weekday <= last
  return worked ? [shift({ start: calendar.dayStart, end: calendar.dayEnd })] : []
}
