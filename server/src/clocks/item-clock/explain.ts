import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { items } from '../../items/item/item.ts'
import { demand } from '../../kernel/access.ts'
import { isId } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { clocks } from '../clock/clock.ts'
import { measure } from '../cycle/measure.ts'
import { regionBody, regionSchema } from '../region/responsible.ts'
import { type ExplainedSpan, explainAhead, explainCycle } from './explain-cycle.ts'
import { clocksOfItem, cycleDuty } from './item-clock.ts'
import { itemClockBody, itemClockSchema } from './item-clock-body.ts'
import { readItemClocks } from './item-clock-operations.ts'
import { iso } from './item-clock-rows.ts'

/** A long history is explained in part: the oldest intervals, and how many were left out. */
const maxIntervals = 2000

const intervals: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      from: { type: 'string', format: 'date-time' },
      to: { type: 'string', format: 'date-time' },
      seconds: { type: 'integer' },
      counted: { type: 'boolean' },
      reason: {
        type: 'string',
        description:
          'Of one that counts `working time` or `every minute`, of another `outside hours`, `weekday`, `day-off`, `holiday: <name>`, `exception: outside hours` or `paused: <reason>`. Where a clock has regions, the reason of each: `Berlin: weekday; Tokyo: holiday: <name>`.',
      },
      regions: {
        type: 'array',
        items: regionSchema,
        description: 'The regions that are open in an interval that counts; the first one is responsible.',
      },
    },
    required: ['from', 'to', 'seconds', 'counted', 'reason', 'regions'],
  },
}

const schema: Schema = {
  type: 'array',
  items: {
    ...itemClockSchema,
    title: 'ItemClockExplained',
    properties: {
      ...itemClockSchema.properties,
      intervals,
      leftOut: { type: 'integer', description: 'Intervals that are not in this answer.' },
      ahead: {
        ...intervals,
        description:
          'The intervals from now until it is due, of the next 800 days; those that count add up to `remaining`. A paused clock is explained as if it were resumed now. Empty if it is overdue or never due.',
      },
      dueIfResumed: {
        type: 'string',
        format: 'date-time',
        nullable: true,
        description: 'Of a paused clock: when it would be due if it were resumed now.',
      },
      aheadLeftOut: { type: 'integer', description: 'Intervals ahead that are not in this answer.' },
    },
  },
}

export const explainClock = operation({
  permission: readItemClocks,
  placed: true,
  mode: 'read',
  summary: 'Explain a clock of an item',
  description:
    'How the time of each running cycle of this clock was counted (`intervals`), and how it will be until it is due (`ahead`): every interval that counts and every one that does not, with the reason. The intervals that counted add up to `elapsed`, those ahead to `remaining`. Pauses and changes of the calendar that are yet to come are unknown.',
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
      const measured = measure(cycle, now)
      const [spans, ahead] = [explainCycle(cycle, now), explainAhead(cycle, now)]
      const coming = ahead?.spans ?? []
      return {
        ...itemClockBody(measured, cycleDuty(cycle, now)),
        intervals: spans.slice(0, maxIntervals).map(intervalBody),
        leftOut: Math.max(0, spans.length - maxIntervals),
        ahead: coming.slice(0, maxIntervals).map(intervalBody),
        aheadLeftOut: Math.max(0, coming.length - maxIntervals),
        dueIfResumed: measured.pausedSince === null ? null : iso(ahead?.dueAt ?? null),
      }
    })
    return { body }
  },
})

function intervalBody({ from, to, counted, reason, regions = [] }: ExplainedSpan) {
  const seconds = Math.floor((to - from) / 1000)
  return { from: iso(from), to: iso(to), seconds, counted, reason, regions: regions.map(regionBody) }
}
