import type { HoursPart, Region } from '../calendar/calendar.ts'
import type { ClockCycle } from '../cycle/cycle.ts'
import { measure, periodsOfCycle, runningSpans } from '../cycle/measure.ts'
import { type HoursPeriod, instantAfter, splitByPeriod, workingTimeOf } from '../working-time/hours-periods.ts'
import { cutByLayers, type TimeSpan } from '../working-time/time-span.ts'
import { type UncountedSpan, uncountedSpans } from '../working-time/uncounted-spans.ts'

/** A span of time, whether it counts, and why. */
export interface ExplainedSpan extends TimeSpan {
  counted: boolean
  reason: string
  /** The regions that are open in a span that counts, in the order of the clock. */
  regions?: readonly Region[]
}

/** All spans of a cycle, from its start to its end or now. */
export function explainCycle(cycle: ClockCycle, now: number): ExplainedSpan[] {
  const end = cycle.ended?.at ?? now
  const periods = periodsOfCycle(cycle)
  const running = runningSpans(cycle)
    .flatMap(({ from, to }) => splitByPeriod(periods, { from, to: Math.min(to, end) }))
    .flatMap(explainPeriod)
  const pauses = cycle.pauses.map(({ from, to, reason }) => ({
    from: Math.max(from, cycle.startedAt),
    to: to ?? end,
    counted: false,
    reason: `paused: ${reason}`,
  }))
  return [...running, ...pauses.filter(each => each.from < each.to)].sort((a, b) => a.from - b.from)
}

const day = 86_400_000

/** How far ahead spans are explained. */
const maxAhead = 800 * day

/** What is still to come of a cycle. */
interface CycleAhead {
  /** When it is due; that of a paused cycle, if it were resumed now. */
  dueAt: number
  /** The spans until then, or as far as they are explained. */
  spans: ExplainedSpan[]
}

/** The spans from now until a cycle is due; undefined if it has ended, is overdue or is never due. */
export function explainAhead(cycle: ClockCycle, now: number): CycleAhead | undefined {
  const { remaining } = measure(cycle, now)
  if (cycle.ended || remaining <= 0) return undefined
  const periods = periodsOfCycle(cycle)
  const from = Math.max(now, cycle.startedAt)
  const dueAt = instantAfter(periods, { from, to: Number.POSITIVE_INFINITY }, remaining)
  if (dueAt === undefined) return undefined
  const spans = splitByPeriod(periods, { from, to: Math.min(dueAt, from + maxAhead) }).flatMap(explainPeriod)
  return { dueAt, spans }
}

/** The open spans within a period, and between them the ones that do not count. */
function explainPeriod({ period: { time, parts }, from, to }: TimeSpan & { period: HoursPeriod }): ExplainedSpan[] {
  const spans: ExplainedSpan[] = []
  let last = from
  for (const open of [...time.spans(from, to), { from: to, to }]) {
    if (open.from > last && parts.length > 0) spans.push(...closedSpans(parts, { from: last, to: open.from }))
    if (open.to > open.from) spans.push(...countedSpans(parts, open))
    last = open.to
  }
  return spans
}

/** A span that counts, divided where a region opens or closes. */
function countedSpans(parts: readonly HoursPart[], open: TimeSpan): ExplainedSpan[] {
  const counted = { counted: true, reason: parts.length > 0 ? 'working time' : 'every minute' }
  const ofRegions = parts.filter(each => each.region !== undefined)
  if (ofRegions.length === 0) return [{ ...open, ...counted }]
  const layers = ofRegions.map(part => workingTimeOf([part]).spans(open.from, open.to))
  return cutByLayers(open, layers).map(({ from, to, covers }) => {
    const regions = ofRegions.flatMap(({ region }, i) => (covers[i] && region ? [region] : []))
    return { from, to, ...counted, regions }
  })
}

/** Why a span does not count; with regions, why in each of them. */
function closedSpans(parts: readonly HoursPart[], closed: TimeSpan): ExplainedSpan[] {
  const layers = parts.map(({ calendar }) => uncountedSpans(calendar, closed))
  const spans: ExplainedSpan[] = []
  for (const { from, to, covers } of cutByLayers(closed, layers)) {
    const reasons = covers.flatMap((each, i) => {
      const region = parts[i]?.region
      return each ? [region ? `${region.name ?? ''}: ${inWords(each)}` : inWords(each)] : []
    })
    const reason = reasons.join('; ')
    const before = spans.at(-1)
    if (before?.reason === reason) before.to = to
    else spans.push({ from, to, counted: false, reason })
  }
  return spans
}

function inWords({ because, name }: UncountedSpan): string {
  if (because === 'holiday') return name ? `holiday: ${name}` : 'holiday'
  if (because === 'exception') return 'exception: outside hours'
  return because === 'hours' ? 'outside hours' : because
}
