import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { clocks } from '../clock/clock.ts'
import type { ClockCommand } from '../cycle/cycle.ts'
import { commandEventKind } from '../cycle/item-history.ts'
import { updateItemClocks } from './update-item-clocks.ts'

// Commands of users and rules to the clocks of an item. A command is an event of the item, so that the replay finds it in
// its place; a command to a clock that does not run changes nothing.

export const startClock = (ctx: Context, itemId: Id, clockId: Id, reason = '') =>
  giveCommand(ctx, itemId, { verb: 'start', clockId, reason })

export const pauseClock = (ctx: Context, itemId: Id, clockId: Id, reason = '') =>
  giveCommand(ctx, itemId, { verb: 'pause', clockId, reason })

export const resumeClock = (ctx: Context, itemId: Id, clockId: Id, reason = '') =>
  giveCommand(ctx, itemId, { verb: 'resume', clockId, reason })

export const stopClock = (ctx: Context, itemId: Id, clockId: Id, reason = '') =>
  giveCommand(ctx, itemId, { verb: 'stop', clockId, reason })

export const resetClock = (ctx: Context, itemId: Id, clockId: Id, reason = '') =>
  giveCommand(ctx, itemId, { verb: 'reset', clockId, reason })

/** Moves all running cycles of the item, or those of one clock, to another clock; elapsed time and pauses are kept. */
export async function switchClock(ctx: Context, itemId: Id, to: Id, reason = '', clockId?: Id): Promise<void> {
  const rows = await ctx.sql<{ clockId: Id }>`select distinct clock_id as "clockId" from item_clock
    where tenant_id = ${ctx.caller.tenantId} and item_id = ${itemId} and ended_at is null`
  await updateItemClocks(ctx, [itemId])
  for (const each of rows)
    if (each.clockId !== to && (clockId === undefined || clockId === each.clockId))
      await giveCommand(ctx, itemId, { verb: 'switch', clockId: each.clockId, to, reason })
}

async function giveCommand(ctx: Context, itemId: Id, { verb, clockId, to, reason }: ClockCommand): Promise<void> {
  const item = await items.get(ctx, itemId)
  // The clock that the item has needs no visibility of its own; one that it gets does.
  for (const id of [clockId, ...(to ? [to] : [])])
    if (!(await clocks.find(id === to ? ctx : withSystemAuthority(ctx), id)))
      throw unknownReferences([{ entity: 'Clock', id, path: [id === to ? 'to' : 'clockId'] }])
  await appendEvents(ctx, [
    {
      kind: commandEventKind,
      entity: 'Item',
      recordId: item.id,
      changes: {
        verb: { to: verb },
        clockId: { to: clockId },
        ...(to ? { to: { to } } : {}),
        ...(reason ? { reason: { to: reason } } : {}),
      },
    },
  ])
  await updateItemClocks(ctx, [item.id])
}
