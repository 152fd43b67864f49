import { counted, everyMinute, type Leg, legsFrom, legsOf, reached } from '../working-time/hours-periods.ts'
import type { Span } from '../working-time/working-time.ts'
import { type Cycle, current, freshMemory, type Memory, type Pause } from './cycle.ts'

export const state = {
  notStarted: 0,
  green: 1,
  amber: 2,
  red: 3,
  paused: 4,
  met: 5,
  metLate: 6,
  cancelled: 7,
} as const

/** How a cycle stands: what it has used, what is left, and when what happens. Instants and amounts are ms. */
export interface Measured {
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
  memory: Memory
  /** When the next light comes on. */
  nextAt: number | null
}

export function measure(cycle: Cycle, now: number): Measured {
  const { definition, promise } = current(cycle)
  const { lights } = promise
  const ended = cycle.ended?.at
  const legs = legsOfCycle(cycle)
  const spans = runs(cycle)
  const elapsed = spans.reduce((sum, span) => sum + counted(legs, { ...span, to: Math.min(span.to, ended ?? now) }), 0)
  const when = (amount: number | undefined) => (amount === undefined ? null : moment(legs, spans, amount))
  const dueAt = when(lights.due)
  const amberAt = when(lights.amber)
  const redAt = when(lights.red)
  const pausedSince = cycle.ended ? null : (cycle.pauses.find(each => each.to === undefined)?.from ?? null)
  const until = ended ?? now
  // Who is done with the last second has kept the promise; who is still at it has not.
  const late = ended === undefined ? elapsed >= lights.due : elapsed > lights.due
  const breachedAt = late ? dueAt : null
  const running = ended === undefined && pausedSince === null
  const next = [amberAt, redAt, dueAt].filter(each => each !== null && each > now).sort((a, b) => (a ?? 0) - (b ?? 0))
  return {
    lane: cycle.lane,
    cycle: cycle.cycle,
    clockId: definition.clock.id,
    targetId: promise.id,
    kind: promise.kind,
    version: definition.versions.at(-1)?.version ?? 1,
    state: stateOf(cycle, { pausedSince, amberAt, redAt, breachedAt, until }),
    startedAt: cycle.startedAt,
    elapsed,
    remaining: lights.due - elapsed,
    greenAt: when(lights.green),
    amberAt,
    redAt,
    dueAt,
    pausedSince,
    pauses: cycle.pauses,
    metAt: cycle.ended?.how === 'met' ? cycle.ended.at : null,
    breachedAt,
    breached: breachedAt === null ? 0 : elapsed - lights.due,
    endedAt: ended ?? null,
    endedBy: cycle.ended?.by ?? '',
    memory: cycle.ended?.memory ?? { ...freshMemory, begun: cycle.begun },
    nextAt: running ? (next[0] ?? null) : null,
  }
}

interface Seen {
  pausedSince: number | null
  amberAt: number | null
  redAt: number | null
  breachedAt: number | null
  until: number
}

function stateOf(cycle: Cycle, { pausedSince, amberAt, redAt, breachedAt, until }: Seen): number {
  if (cycle.ended?.how === 'cancelled') return state.cancelled
  if (cycle.ended) return breachedAt === null ? state.met : state.metLate
  if (pausedSince !== null) return state.paused
  if (redAt !== null && redAt <= until) return state.red
  return amberAt !== null && amberAt <= until ? state.amber : state.green
}

/** The hours along the course of a cycle: each clock's own while it was in charge. */
export function legsOfCycle({ course, ended }: Cycle): Leg[] {
  const legs: Leg[] = []
  for (const { from, definition, promise } of course) {
    const own = promise.calendarTime ? everyMinute : legsOf(definition.versions, ended?.at)
    while (legs.length > 0 && (legs.at(-1)?.from ?? 0) >= from) legs.pop()
    legs.push(...legsFrom(own, from))
  }
  return legs
}

/** When it ran: from its start to its end, without the pauses. The last has no end while it runs. */
export function runs({ startedAt, pauses, ended }: Cycle): Span[] {
  const spans: Span[] = []
  let from: number | undefined = startedAt
  for (const pause of pauses) {
    if (from !== undefined && from < pause.from) spans.push({ from, to: pause.from })
    from = pause.to
  }
  const to = ended?.at ?? Number.POSITIVE_INFINITY
  if (from !== undefined && from < to) spans.push({ from, to })
  return spans
}

/** When so much has been counted. */
function moment(legs: readonly Leg[], spans: readonly Span[], amount: number): number | null {
  let left = amount
  for (const span of spans) {
    const found = reached(legs, span, left)
    if (found !== undefined) return found
    if (span.to === Number.POSITIVE_INFINITY) return null
    left -= counted(legs, span)
  }
  return null
}
