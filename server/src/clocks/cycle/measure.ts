import { clockState } from '../../records/clock-codes.ts'
import {
  countedTime,
  everyMinute,
  type HoursPeriod,
  instantAfter,
  periodsFrom,
  periodsOf,
} from '../working-time/hours-periods.ts'
import type { TimeSpan } from '../working-time/time-span.ts'
import { type ClockCycle, currentSegment, emptyMemory, type LaneMemory, type Pause } from './cycle.ts'

export { clockState }

/** The measured times of a cycle. Instants and amounts are ms. */
export interface MeasuredCycle {
  lane: string
  cycle: number
  clockId: string
  targetId: string
  kind: number
  version: number
  state: number
  startedAt: number
  elapsed: number
  remaining: number
  greenAt: number | null
  amberAt: number | null
  redAt: number | null
  dueAt: number | null
  pausedSince: number | null
  pauses: Pause[]
  metAt: number | null
  breachedAt: number | null
  breached: number
  endedAt: number | null
  endedBy: string
  memory: LaneMemory
  /** When the next threshold is crossed. */
  nextAt: number | null
}

/** Measures a cycle at an instant. */
export function measure(cycle: ClockCycle, now: number): MeasuredCycle {
  const { definition, target } = currentSegment(cycle)
  const { thresholds } = target
  const ended = cycle.ended?.at
  const periods = periodsOfCycle(cycle)
  const spans = runningSpans(cycle)
  const elapsed = spans.reduce(
    (sum, span) => sum + countedTime(periods, { ...span, to: Math.min(span.to, ended ?? now) }),
    0,
  )
  const when = (amount: number | undefined) => (amount === undefined ? null : instantOfAmount(periods, spans, amount))
  const dueAt = when(thresholds.due)
  const amberAt = when(thresholds.amber)
  const redAt = when(thresholds.red)
  const pausedSince = cycle.ended ? null : (cycle.pauses.find(each => each.to === undefined)?.from ?? null)
  const until = ended ?? now
  // A cycle that ends exactly when it is due is met; one that still runs at that instant is breached.
  const late = ended === undefined ? elapsed >= thresholds.due : elapsed > thresholds.due
  const breachedAt = late ? dueAt : null
  const running = ended === undefined && pausedSince === null
  const next = [amberAt, redAt, dueAt].filter(each => each !== null && each > now).sort((a, b) => (a ?? 0) - (b ?? 0))
  return {
    lane: cycle.lane,
    cycle: cycle.cycle,
    clockId: definition.clock.id,
    targetId: target.id,
    kind: target.kind,
    version: definition.versions.at(-1)?.version ?? 1,
    state: stateOf(cycle, { pausedSince, amberAt, redAt, breachedAt, until }),
    startedAt: cycle.startedAt,
    elapsed,
    remaining: thresholds.due - elapsed,
    greenAt: when(thresholds.green),
    amberAt,
    redAt,
    dueAt,
    pausedSince,
    pauses: cycle.pauses,
    metAt: cycle.ended?.how === 'met' ? cycle.ended.at : null,
    breachedAt,
    breached: breachedAt === null ? 0 : elapsed - thresholds.due,
    endedAt: ended ?? null,
    endedBy: cycle.ended?.by ?? '',
    memory: cycle.ended?.memory ?? { ...emptyMemory, begun: cycle.begun },
    nextAt: running ? (next[0] ?? null) : null,
  }
}

interface StateInput {
  pausedSince: number | null
  amberAt: number | null
  redAt: number | null
  breachedAt: number | null
  until: number
}

function stateOf(cycle: ClockCycle, { pausedSince, amberAt, redAt, breachedAt, until }: StateInput): number {
  if (cycle.ended?.how === 'cancelled') return clockState.cancelled
  if (cycle.ended) return breachedAt === null ? clockState.met : clockState.metLate
  if (pausedSince !== null) return clockState.paused
  if (redAt !== null && redAt <= until) return clockState.red
  return amberAt !== null && amberAt <= until ? clockState.amber : clockState.green
}

/** The hours that count along a cycle: in each segment those of its clock. */
export function periodsOfCycle({ segments, ended }: ClockCycle): HoursPeriod[] {
  const periods: HoursPeriod[] = []
  for (const { from, definition, target } of segments) {
    const own = target.calendarTime ? everyMinute : periodsOf(definition.versions, ended?.at)
    while (periods.length > 0 && (periods.at(-1)?.from ?? 0) >= from) periods.pop()
    periods.push(...periodsFrom(own, from))
  }
  return periods
}

/** The spans in which a cycle ran: from its start to its end, without the pauses. The last span of a running cycle has no end. */
export function runningSpans({ startedAt, pauses, ended }: ClockCycle): TimeSpan[] {
  const spans: TimeSpan[] = []
  let from: number | undefined = startedAt
  for (const pause of pauses) {
    if (from !== undefined && from < pause.from) spans.push({ from, to: pause.from })
    from = pause.to
  }
  const to = ended?.at ?? Number.POSITIVE_INFINITY
  if (from !== undefined && from < to) spans.push({ from, to })
  return spans
}

/** The instant at which this amount of time has been counted; null if that never happens. */
function instantOfAmount(periods: readonly HoursPeriod[], spans: readonly TimeSpan[], amount: number): number | null {
  let left = amount
  for (const span of spans) {
    const found = instantAfter(periods, span, left)
    if (found !== undefined) return found
    if (span.to === Number.POSITIVE_INFINITY) return null
    left -= countedTime(periods, span)
  }
  return null
}
