import { items } from '../../items/item/item.ts'
import { demand, type Permission, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/shape.ts'
import { clocks } from '../clock/clock.ts'
import { definitions } from '../cycle/clock-definition.ts'
import type { Measured } from '../cycle/measure.ts'
import { type Folded, foldItems } from '../cycle/replay-items.ts'
import { pauseClock, resumeClock, stopClock } from './clock-commands.ts'
import { iso, keptRows } from './item-clock-rows.ts'

/** Why a clock rests is said among staff. */
export const seesClocks: Permission = { ...items.permissions.read, roles: staff }

const instant: Schema = { type: 'string', format: 'date-time', nullable: true }
const seconds: Schema = { type: 'integer', description: 'Seconds of working time.' }

/** How one promise stands. */
export const itemClockSchema: Schema = {
  type: 'object',
  title: 'ItemClock',
  properties: {
    clockId: { type: 'string' },
    targetId: { type: 'string' },
    kind: { type: 'integer', description: 'The kind of the target.' },
    cycle: { type: 'integer', description: 'Which run it is, from 1; a reopened item begins another.' },
    version: { type: 'integer', description: 'The version of the clock’s hours.' },
    state: {
      type: 'integer',
      description: '0 not started · 1 green · 2 amber · 3 red · 4 paused · 5 met · 6 met late · 7 cancelled.',
    },
    startedAt: instant,
    elapsed: seconds,
    remaining: { ...seconds, description: 'Seconds of working time until it is due; negative behind it.' },
    greenAt: { ...instant, description: 'From when on the light is shown.' },
    amberAt: instant,
    redAt: instant,
    dueAt: { ...instant, description: 'A clock that rests is due at no time.' },
    pausedSince: instant,
    pauses: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          from: { type: 'string', format: 'date-time' },
          to: instant,
          reason: { type: 'string' },
        },
        required: ['from', 'to', 'reason'],
      },
    },
    metAt: instant,
    breachedAt: instant,
    breachSeconds: seconds,
  },
  required: ['clockId', 'targetId', 'kind', 'cycle', 'version', 'state', 'startedAt', 'elapsed', 'remaining', 'dueAt'],
}

export function shown(row: Omit<Measured, 'greenAt'> & { greenAt?: number | null }): Record<string, unknown> {
  const whole = (amount: number) => Math.floor(amount / 1000)
  return {
    clockId: row.clockId,
    targetId: row.targetId,
    kind: row.kind,
    cycle: row.cycle,
    version: row.version,
    state: row.state,
    startedAt: iso(row.startedAt),
    elapsed: whole(row.elapsed),
    remaining: whole(row.remaining),
    greenAt: iso(row.greenAt ?? null),
    amberAt: iso(row.amberAt),
    redAt: iso(row.redAt),
    dueAt: iso(row.dueAt),
    pausedSince: iso(row.pausedSince),
    pauses: row.pauses.map(({ from, to, reason }) => ({ from: iso(from), to: iso(to ?? null), reason })),
    metAt: iso(row.metAt),
    breachedAt: iso(row.breachedAt),
    breachSeconds: whole(row.breached),
  }
}

/** The clocks of an item at this moment: what is finished as it is kept, the rest folded afresh. */
export async function clocksOfItem(
  ctx: Context,
  itemId: Id,
): Promise<{ shown: Record<string, unknown>[]; folded: Folded }> {
  const kept = await keptRows(ctx, [itemId])
  const folded = (await foldItems(ctx, [itemId], await definitions(ctx), kept)).get(itemId)
  if (!folded) throw new NotFound()
  const finished = (kept.get(itemId) ?? []).filter(row => row.cycle <= (folded.checkpoints.get(row.lane)?.cycle ?? 0))
  const rows = [...finished, ...folded.rows].toSorted((a, b) => a.kind - b.kind || a.cycle - b.cycle)
  return { shown: rows.map(shown), folded }
}

export const listItemClocks: Operation = operation({
  permission: seesClocks,
  placed: true,
  mode: 'read',
  summary: 'The clocks of an item',
  description:
    'How each promise on the item stands at this moment: its light, what it has used, when it is due, when it rested. Folded from what happened to the item, so it is never behind.',
  reply: { status: 200, schema: { type: 'array', items: itemClockSchema }, description: 'The clocks.' },
  refusals: [404],
  async run(ctx, { params }) {
    const item = await items.get(ctx, params.id ?? '')
    demand(ctx.caller, seesClocks, item)
    return { body: (await clocksOfItem(ctx, item.id)).shown }
  },
})

const because: Schema = {
  type: 'object',
  properties: { reason: { type: 'string', minLength: 1, maxLength: 1000, pattern: '\\S', description: 'Why.' } },
  required: ['reason'],
  additionalProperties: false,
}

const verbs = {
  pause: { work: pauseClock, summary: 'Pause a clock of an item', what: 'It rests until it is resumed by hand.' },
  resume: {
    work: resumeClock,
    summary: 'Resume a clock of an item',
    what: 'It goes on, whatever made it rest; should that come up anew, it rests again.',
  },
  stop: { work: stopClock, summary: 'Stop a clock of an item', what: 'The cycle ends here, in time or late.' },
}

/** What people may ask of a clock by hand; why is asked for and kept in the item's history. */
export function byHand(verb: keyof typeof verbs): Operation {
  const { work, summary, what } = verbs[verb]
  return operation<{ reason: string }>({
    permission: items.permissions.update,
    placed: true,
    mode: 'write',
    summary,
    description: `${what} The reason is kept in the item’s history.`,
    body: { schema: because, read: reader<{ reason: string }>(because), example: { reason: 'Waits for a spare part' } },
    reply: { status: 200, schema: { type: 'array', items: itemClockSchema }, description: 'The clocks as they stand.' },
    refusals: [404, 422],
    async run(ctx, { params, body }) {
      const item = await items.get(ctx, params.id ?? '', { lock: true })
      demand(ctx.caller, items.permissions.update, item)
      const clockId = (params.clockId ?? '').toLowerCase()
      if (!isId(clockId) || !(await clocks.find(ctx, clockId))) throw new NotFound()
      await work(ctx, item.id, clockId, body.reason)
      return { body: (await clocksOfItem(ctx, item.id)).shown }
    },
  })
}
