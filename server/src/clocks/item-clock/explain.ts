import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { items } from '../../items/item/item.ts'
import { demand } from '../../kernel/access.ts'
import { isId } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { clocks } from '../clock/clock.ts'
import type { ClockCycle } from '../cycle/cycle.ts'
import { measure, periodsOfCycle, runningSpans } from '../cycle/measure.ts'
import { type HoursPeriod, splitByPeriod } from '../working-time/hours-periods.ts'
import type { TimeSpan } from '../working-time/time-span.ts'
import { type UncountedSpan, uncountedSpans } from '../working-time/uncounted-spans.ts'
import { clocksOfItem } from './item-clock.ts'
import { itemClockBody, itemClockSchema } from './item-clock-body.ts'
import { readItemClocks } from './item-clock-operations.ts'
import { iso } from './item-clock-rows.ts'

/** A span of time, whether it counts, and why. */
interface ExplainedSpan extends TimeSpan {
  counted: boolean
  reason: string
}

/** A long history is explained in part: the oldest intervals, and how many were left out. */
const maxIntervals = 2000

/** All spans of a cycle, from its start to its end or now. */
function explainCycle(cycle: ClockCycle, now: number): ExplainedSpan[] {
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

/** The open spans within a period, and between them the ones that do not count. */
function explainPeriod({ period: { time, calendar }, from, to }: TimeSpan & { period: HoursPeriod }): ExplainedSpan[] {
  const spans: ExplainedSpan[] = []
  let last = from
  for (const open of [...time.spans(from, to), { from: to, to }]) {
    if (open.from > last && calendar)
      for (const each of uncountedSpans(calendar, { from: last, to: open.from }))
        spans.push({ from: each.from, to: each.to, counted: false, reason: inWords(each) })
    if (open.to > open.from) spans.push({ ...open, counted: true, reason: calendar ? 'working time' : 'every minute' })
    last = open.to
  }
  return spans
}

function inWords({ because, name }: UncountedSpan): string {
  if (because === 'holiday') return name ? `holiday: ${name}` : 'holiday'
  return because === 'hours' || because === 'exception' ? 'outside hours' : because
}

const schema: Schema = {
  type: 'array',
  items: {
    ...itemClockSchema,
    title: 'ItemClockExplained',
    properties: {
      ...itemClockSchema.properties,
      intervals: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            from: { type: 'string', format: 'date-time' },
            to: { type: 'string', format: 'date-time' },
            seconds: { type: 'integer' },
            counted: { type: 'boolean' },
            reason: { type: 'string' },
          },
          required: ['from', 'to', 'seconds', 'counted', 'reason'],
        },
      },
      leftOut: { type: 'integer', description: 'Intervals that are not in this answer.' },
    },
  },
}

export const explainClock = operation({
  permission: readItemClocks,
  placed: true,
  mode: 'read',
  summary: 'Explain a clock of an item',
  description:
    'How the time of each running cycle of this clock was counted: every interval that counted and every one that did not, with the reason. The intervals that counted add up to `elapsed`.',
  reply: { status: 200, schema, description: 'The cycles, with their intervals.' },
  refusals: [404],
  async run(ctx, { params }) {
    const item = await items.get(ctx, params.id ?? '')
    demand(ctx.caller, readItemClocks, item)
    const clockId = (params.clockId ?? '').toLowerCase()
    if (!isId(clockId) || !(await clocks.find(withSystemAuthority(ctx), clockId))) throw new NotFound()
    const now = ctx.now.getTime()
    const { replayed } = await clocksOfItem(ctx, item.id)
    const own = replayed.cycles.filter(cycle => cycle.segments.at(-1)?.definition.clock.id === clockId)
    const body = own.map(cycle => {
      const spans = explainCycle(cycle, now)
      return {
        ...itemClockBody(measure(cycle, now)),
        intervals: spans.slice(0, maxIntervals).map(({ from, to, counted, reason }) => ({
          from: iso(from),
          to: iso(to),
          seconds: Math.floor((to - from) / 1000),
          counted,
          reason,
        })),
        leftOut: Math.max(0, spans.length - maxIntervals),
      }
    })
    return { body }
  },
})
