import { Temporal } from 'temporal-polyfill'

/** When a zone's wall clocks are set to another offset, within one stretch of time: instants and offsets in ms. */
export interface Wall {
  /** The offset before the first change. */
  offset: number
  changes: readonly { at: number; offset: number }[]
}

/** How the wall clocks of a zone go between two instants. */
export function wallBetween(timezone: string, from: number, to: number): Wall {
  let moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone || 'UTC')
  const wall = { offset: moment.offsetNanoseconds / 1e6, changes: [] as { at: number; offset: number }[] }
  for (;;) {
    const next = moment.getTimeZoneTransition('next')
    if (!next || next.epochMilliseconds > to) return wall
    wall.changes.push({ at: next.epochMilliseconds, offset: next.offsetNanoseconds / 1e6 })
    moment = next
  }
}

/**
 * The instant at which the wall shows a time (ms as if it were UTC). What the wall skips begins and ends where it jumps;
 * of a time that it shows twice, a start is the first and an end the second.
 */
export function instantAt({ offset, changes }: Wall, shown: number, end: boolean): number {
  let found: number | undefined
  let since = Number.NEGATIVE_INFINITY
  let current = offset
  for (let i = 0; i <= changes.length; i++) {
    const change = changes[i]
    const until = change?.at ?? Number.POSITIVE_INFINITY
    const candidate = shown - current
    if (candidate >= since && candidate < until) {
      if (!end) return candidate
      found = candidate
    } else if (candidate < since && found === undefined) return since // the wall jumped over it
    if (change === undefined) break
    since = change.at
    current = change.offset
  }
  return found ?? since
}
