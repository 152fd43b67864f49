import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { items } from '../../items/item/item.ts'
import { demand, narrowedTo, type Permission, staff } from '../../kernel/access.ts'
import { isId } from '../../kernel/id.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { clocks } from '../clock/clock.ts'
import { pauseClock, resumeClock, stopClock } from './clock-commands.ts'
import { clocksOfItem } from './item-clock.ts'
import { itemClockBodies, itemClockSchema } from './item-clock-body.ts'

/** Only staff sees why a clock is paused. */
export const readItemClocks: Permission = narrowedTo(staff, items.permissions.read)

export const listItemClocks: Operation = operation({
  permission: readItemClocks,
  placed: true,
  mode: 'read',
  summary: 'The clocks of an item',
  description:
    'Each target of the item at this moment: its state, the time used, when it is due, when it was paused. Computed from the history of the item, so it is never out of date.',
  reply: { status: 200, schema: { type: 'array', items: itemClockSchema }, description: 'The clocks.' },
  refusals: [404],
  async run(ctx, { params }) {
    const item = await items.get(ctx, params.id ?? '')
    demand(ctx.caller, readItemClocks, item)
    return { body: itemClockBodies(await clocksOfItem(ctx, item.id), ctx.now.getTime()) }
  },
})

const reasonSchema: Schema = {
  type: 'object',
  properties: { reason: { type: 'string', minLength: 1, maxLength: 1000, pattern: '\\S', description: 'Why.' } },
  required: ['reason'],
  additionalProperties: false,
}

const verbs = {
  pause: { work: pauseClock, summary: 'Pause a clock of an item', effect: 'It pauses until somebody resumes it.' },
  resume: {
    work: resumeClock,
    summary: 'Resume a clock of an item',
    effect: 'It runs again, whatever paused it; if the reason to pause ceases and comes back, it pauses again.',
  },
  stop: { work: stopClock, summary: 'Stop a clock of an item', effect: 'The cycle ends now, in time or late.' },
}

/** A command to a clock of an item. The reason is required, and kept in the history of the item. */
export function manualCommand(verb: keyof typeof verbs): Operation {
  const { work, summary, effect } = verbs[verb]
  return operation<{ reason: string }>({
    permission: items.permissions.update,
    placed: true,
    mode: 'write',
    summary,
    description: `${effect} The reason is kept in the item’s history.`,
    body: {
      schema: reasonSchema,
      read: reader<{ reason: string }>(reasonSchema),
      example: { reason: 'Waits for a spare part' },
    },
    reply: { status: 200, schema: { type: 'array', items: itemClockSchema }, description: 'The clocks of the item.' },
    refusals: [404, 422],
    async run(ctx, { params, body }) {
      const item = await items.get(ctx, params.id ?? '', { lock: true })
      demand(ctx.caller, items.permissions.update, item)
      const clockId = (params.clockId ?? '').toLowerCase()
      if (!isId(clockId) || !(await clocks.find(withSystemAuthority(ctx), clockId))) throw new NotFound()
      await work(ctx, item.id, clockId, body.reason)
      return { body: itemClockBodies(await clocksOfItem(ctx, item.id), ctx.now.getTime()) }
    },
  })
}
