import { Temporal } from 'temporal-polyfill'

/** The UTC offsets of a timezone within a span of time. Instants and offsets are ms. */
interface ZoneOffsets {
  /** The offset before the first change. */
  offset: number
  changes: readonly { at: number; offset: number }[]
}

/** The offsets of a timezone between two instants. */
export function zoneOffsets(timezone: string, from: number, to: number): ZoneOffsets {
  let moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone || 'UTC')
  const offset = moment.offsetNanoseconds / 1e6
  const changes: { at: number; offset: number }[] = []
  for (;;) {
    const next = moment.getTimeZoneTransition('next')
    if (!next || next.epochMilliseconds > to) return { offset, changes }
    changes.push({ at: next.epochMilliseconds, offset: next.offsetNanoseconds / 1e6 })
    moment = next
  }
}

/**
 * The instant of a local time, which is given as ms as if it were UTC. A local time that the zone skips is the instant of
 * the change. Of a local time that occurs twice, a start is the first and an end the second.
 */
export function instantOfLocal({ offset, changes }: ZoneOffsets, local: number, end: boolean): number {
  let found: number | undefined
  let since = Number.NEGATIVE_INFINITY
  let current = offset
  for (let i = 0; i <= changes.length; i++) {
    const change = changes[i]
    const until = change?.at ?? Number.POSITIVE_INFINITY
    const candidate = local - current
    if (candidate >= since && candidate < until) {
      if (!end) return candidate
      found = candidate
    } else if (candidate < since && found === undefined) return since // skipped by the change
    if (change === undefined) break
    since = change.at
    current = change.offset
  }
  return found ?? since
}
