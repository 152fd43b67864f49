import { items } from '../../items/item/item.ts'
import { demand } from '../../kernel/access.ts'
import { isId } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/shape.ts'
import { clocks } from '../clock/clock.ts'
import type { Cycle } from '../cycle/cycle.ts'
import { legsOfCycle, measure, runs } from '../cycle/measure.ts'
import { through } from '../working-time/hours-periods.ts'
import { type Reason, reasons, type Span } from '../working-time/working-time.ts'
import { clocksOfItem, itemClockSchema, seesClocks, shown } from './item-clock-operations.ts'
import { iso } from './item-clock-rows.ts'

/** A stretch of time, whether it counts, and why. */
interface Told extends Span {
  counted: boolean
  reason: string
}

/** Long waits are told in part: the oldest first, and how many were left out. */
const maxTold = 2000

/** Every stretch of a cycle, from its start to its end or now. */
export function explain(cycle: Cycle, now: number): Told[] {
  const end = cycle.ended?.at ?? now
  const legs = legsOfCycle(cycle)
  const told: Told[] = []
  for (const { from, to } of runs(cycle)) {
    for (const { leg, ...part } of through(legs, { from, to: Math.min(to, end) })) {
      const open = leg.time.spans(part.from, part.to)
      let last = part.from
      for (const span of [...open, { from: part.to, to: part.to }]) {
        if (span.from > last && leg.calendar)
          told.push(
            ...reasons(leg.calendar, { from: last, to: span.from }).map(each => ({
              from: each.from,
              to: each.to,
              counted: false,
              reason: inWords(each),
            })),
          )
        if (span.to > span.from)
          told.push({ ...span, counted: true, reason: leg.calendar ? 'working time' : 'every minute' })
        last = span.to
      }
    }
  }
  const pauses = cycle.pauses.map(({ from, to, reason }) => ({
    from: Math.max(from, cycle.startedAt),
    to: to ?? end,
    counted: false,
    reason: `paused: ${reason}`,
  }))
  return [...told, ...pauses.filter(each => each.from < each.to)].sort((a, b) => a.from - b.from)
}

function inWords({ because, name }: Reason): string {
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
      leftOut: { type: 'integer', description: 'Intervals beyond those that are told.' },
    },
  },
}

export const explainClock = operation({
  permission: seesClocks,
  placed: true,
  mode: 'read',
  summary: 'Explain a clock of an item',
  description:
    'How the time of each running cycle of this clock came about: every stretch that counted and every one that did not, with the reason. What counted adds up to `elapsed`.',
  reply: { status: 200, schema, description: 'The cycles, with their intervals.' },
  refusals: [404],
  async run(ctx, { params }) {
    const item = await items.get(ctx, params.id ?? '')
    demand(ctx.caller, seesClocks, item)
    const clockId = (params.clockId ?? '').toLowerCase()
    if (!isId(clockId) || !(await clocks.find(ctx, clockId))) throw new NotFound()
    const now = ctx.now.getTime()
    const { folded } = await clocksOfItem(ctx, item.id)
    const own = folded.cycles.filter(cycle => cycle.course.at(-1)?.definition.clock.id === clockId)
    const body = own.map(cycle => {
      const told = explain(cycle, now)
      return {
        ...shown(measure(cycle, now)),
        intervals: told.slice(0, maxTold).map(({ from, to, counted, reason }) => ({
          from: iso(from),
          to: iso(to),
          seconds: Math.floor((to - from) / 1000),
          counted,
          reason,
        })),
        leftOut: Math.max(0, told.length - maxTold),
      }
    })
    return { body }
  },
})
