import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { append } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { pointsAtNothing } from '../../kernel/references.ts'
import { clocks } from '../clock/clock.ts'
import type { Order } from '../cycle/cycle.ts'
import { orderKind } from '../cycle/item-history.ts'
import { settle } from './update-item-clocks.ts'

// What people and rules ask of the clocks of an item. An order is an event of the item like any other, so that the fold
// finds it where it belongs; an order that fits nothing changes nothing.

export const startClock = (ctx: Context, itemId: Id, clockId: Id, reason = '') =>
  order(ctx, itemId, { verb: 'start', clockId, reason })

export const pauseClock = (ctx: Context, itemId: Id, clockId: Id, reason = '') =>
  order(ctx, itemId, { verb: 'pause', clockId, reason })

export const resumeClock = (ctx: Context, itemId: Id, clockId: Id, reason = '') =>
  order(ctx, itemId, { verb: 'resume', clockId, reason })

export const stopClock = (ctx: Context, itemId: Id, clockId: Id, reason = '') =>
  order(ctx, itemId, { verb: 'stop', clockId, reason })

export const resetClock = (ctx: Context, itemId: Id, clockId: Id, reason = '') =>
  order(ctx, itemId, { verb: 'reset', clockId, reason })

/** Puts all that runs on the item, or what runs on one clock of it, on another clock; what has passed and rested is kept. */
export async function switchClock(ctx: Context, itemId: Id, to: Id, reason = '', clockId?: Id): Promise<void> {
  const rows = await ctx.sql<{ clockId: Id }>`select distinct clock_id as "clockId" from item_clock
    where tenant_id = ${ctx.caller.tenantId} and item_id = ${itemId} and ended_at is null`
  await settle(ctx, [itemId])
  for (const each of rows)
    if (each.clockId !== to && (clockId === undefined || clockId === each.clockId))
      await order(ctx, itemId, { verb: 'switch', clockId: each.clockId, to, reason })
}

async function order(ctx: Context, itemId: Id, { verb, clockId, to, reason }: Order): Promise<void> {
  const { id } = await items.get(ctx, itemId)
  for (const named of [clockId, ...(to ? [to] : [])])
    if (!(await clocks.find(ctx, named)))
      throw pointsAtNothing([{ entity: 'Clock', id: named, path: [named === to ? 'to' : 'clockId'] }])
  await append(ctx, [
    {
      kind: orderKind,
      entity: 'Item',
      recordId: id,
      changes: {
        verb: { to: verb },
        clockId: { to: clockId },
        ...(to ? { to: { to } } : {}),
        ...(reason ? { reason: { to: reason } } : {}),
      },
    },
  ])
  await settle(ctx, [id])
}
