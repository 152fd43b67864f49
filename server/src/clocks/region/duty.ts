import { type HoursPart, openingHorizonDays, type Region } from '../calendar/calendar.ts'
import { workingTimeOf } from '../working-time/hours-periods.ts'
import type { TimeSpan } from '../working-time/time-span.ts'

/** A region that is open at an instant, and until when. */
interface OpenRegion {
  region: Region
  until: number
}

/** Who is responsible at an instant, and from when on somebody else is. */
export interface Duty {
  /** The regions that are open, in the order of the clock: the first is responsible. */
  onDuty: OpenRegion[]
  /** The next change of the responsible region; without `to` nobody is responsible from then on. Undefined if there is none. */
  handover: { at: number; to: Region | undefined } | undefined
}

const horizon = openingHorizonDays * 86_400_000

/**
 * Who is on duty at an instant. Of several open regions the one that the clock lists first is responsible, as long as it is
 * open: a region that opens later in the list waits for the end of the shift, an earlier one takes over at once.
 */
export function dutyAt(parts: readonly HoursPart[], at: number): Duty {
  const layers = parts.flatMap(part => {
    const { region } = part
    return region ? [{ region, spans: workingTimeOf([part]).spans(at, at + horizon) }] : []
  })
  const onDuty = layers.flatMap(({ region, spans }) => {
    const open = spanAt(spans, at)
    return open ? [{ region, until: open.to }] : []
  })
  const changes = layers.flatMap(({ spans }) => spans.flatMap(({ from, to }) => [from, to]))
  const responsible = (instant: number) => layers.find(({ spans }) => spanAt(spans, instant) !== undefined)?.region
  const handover = [...new Set(changes)]
    .sort((a, b) => a - b)
    .find(each => each > at && each < at + horizon && responsible(each) !== onDuty[0]?.region)
  return { onDuty, handover: handover === undefined ? undefined : { at: handover, to: responsible(handover) } }
}

const spanAt = (spans: readonly TimeSpan[], instant: number) =>
  spans.find(({ from, to }) => from <= instant && instant < to)
