import { dateFormat } from '../messages/formatters.ts'

/** The instant at a time of day in a time zone. In the hour that a change of clocks leaves out, the time after it. */
export function instantAt(day: string, time: string, timezone: string): string {
  const wall = Date.parse(`${day}T${time.padStart(5, '0')}:00Z`)
  let at = wall - offsetAt(wall, timezone)
  at = wall - offsetAt(at, timezone)
  return new Date(at).toISOString()
}

/** The day and the time of an instant, as clocks in the time zone show them. */
export function wallClock(instant: string, timezone: string): { day: string; time: string } {
  const at = Date.parse(instant)
  const shown = new Date(at + offsetAt(at, timezone)).toISOString()
  return { day: shown.slice(0, 10), time: shown.slice(11, 16) }
}

/** The milliseconds that the clocks of a time zone are ahead of UTC. */
function offsetAt(at: number, timezone: string): number {
  const parts = dateFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: string) => parts.find(each => each.type === type)?.value ?? '00'
  const wall = `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`
  return Date.parse(wall) - Math.floor(at / 1000) * 1000
}
