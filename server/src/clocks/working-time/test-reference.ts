import type { Calendar } from '../calendar/calendar.ts'

// Working time counted in the plainest way: what the wall shows is asked of the platform, each minute of a stretch of
// years is looked at by itself, and nothing of the service's own arithmetic is used: a mistake in either of them shows.

const minute = 60_000

/** For each minute from `from` on, what the wall of a zone shows: minutes since 1970, as if it were UTC. */
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

/** For each of these minutes, whether it is open: 1 or 0. */
export function openMinutes(calendar: Calendar, shown: Int32Array): Uint8Array {
  const open = new Uint8Array(shown.length)
  const at = (i: number) => shown[i] ?? 0
  let near = 0
  const last = Math.floor(at(shown.length - 1) / 1440)
  for (let day = Math.floor(at(0) / 1440) + 3; day <= last - 3; day++) {
    while (at(near) < (day - 1) * 1440) near++
    for (const [opens, closes] of shiftsOn(calendar, day * 1440)) {
      // It begins when the wall first shows its start or more, and goes on until it has last shown less than its end.
      let begin = near
      while (at(begin) < opens) begin++
      let end = begin
      for (let i = begin; i < Math.min(shown.length, begin + 3 * 1440); i++) if (at(i) < closes) end = i + 1
      for (let i = begin; i < end; i++) open[i] = 1
    }
  }
  return open
}

/** The shifts that begin on a date (minutes of its midnight), read from the calendar word by word. */
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
