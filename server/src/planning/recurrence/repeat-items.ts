import { Temporal } from 'temporal-polyfill'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { callerForUser } from '../../identity/authority.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { changeItem } from '../../items/change/change.ts'
import { type Item, items } from '../../items/item/item.ts'
import type { ItemPatch } from '../../items/item-body/item-body.ts'
import { itemSource } from '../../items/item-codes.ts'
import { isClosed } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { occurrences } from '../../language/recurrence/recurrence.ts'
import { copyOf } from '../copy/copy.ts'
import { findRecurrence, type ItemRecurrence, recurrenceMode } from './recurrence.ts'

const batch = 100

/** Repeats the items that are due, each in a transaction of its own, so that after a crash the rest is still due. */
export function repeatItems(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'repeat-items',
    every: 30_000,
    async run(signal) {
      for (;;) {
        signal.throwIfAborted()
        const due = await database.crossTenantSql<{ tenantId: Id; itemId: Id }>`
          select tenant_id as "tenantId", item_id as "itemId" from item_recurrence r where next_at <= ${now()}
            and exists (select 1 from tenant t where t.tenant_id = r.tenant_id and t.status = 0 and not t.deleted) order by next_at limit ${batch}`
        for (const each of due) await repeat(database, each, now())
        if (due.length < batch) return
      }
    },
  }
}

async function repeat(database: Database, due: { tenantId: Id; itemId: Id }, now: Date): Promise<void> {
  const service = tenantCaller(due.tenantId)
  try {
    const set = await database.single(service, ctx => findRecurrence(ctx, due.itemId))
    const caller = set && (await callerForUser(database, due.tenantId, set.ownerId, set.scopes))
    if (!caller) throw new Refusal(403, 'forbidden', 'the user who set this rule is no longer active')
    await database.transaction(caller, ctx => repeatItem(ctx, due.itemId), { now })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await database.transaction(service, ctx => skip(ctx, due.itemId, error.message), { now })
  }
}

async function repeatItem(ctx: Context, itemId: Id): Promise<void> {
  const recurrence = await findRecurrence(ctx, itemId)
  if (!recurrence?.nextAt || recurrence.nextAt > ctx.now) return // another process has repeated it
  const item = await items.get(ctx, itemId)
  if (item.archived || (recurrence.mode !== recurrenceMode.schedule && !isClosed(item.statusCategory)))
    return await skip(ctx, itemId, '')
  const [turn] = occurrences(recurrence, turnAfter(recurrence, ctx.now), 1)
  if (!turn) return await skip(ctx, itemId, '')
  const dates = shifted(item, recurrence, turn.toPlainDate())
  if (recurrence.mode === recurrenceMode.rolling) {
    await changeItem(ctx, itemId, { patch: { ...dates, status: '', resolution: '', progress: 0 }, warnings: [] })
    return await scheduleNext(ctx, recurrence, { day: turn.toPlainDate().toString() })
  }
  const made = await copyOf(ctx, item, {
    over: { ...dates, source: itemSource.recurrence },
    setByCaller: [],
    warnings: [],
  })
  if (recurrence.mode === recurrenceMode.schedule) return await scheduleNext(ctx, recurrence, {})
  // The recurrence continues with the copy.
  await scheduleNext(ctx, recurrence, { itemId: made.id, day: turn.toPlainDate().toString() })
}

/**
 * What was missed while the service was down is made up for once, for the time at which it was due. An item that is
 * closed before its own day is repeated for the time after that day, not for the same day again.
 */
function turnAfter({ mode, nextAt, day, at, timezone }: ItemRecurrence, now: Date): Date {
  if (mode === recurrenceMode.schedule) return nextAt ? new Date(nextAt.getTime() - 1) : now
  const own = Temporal.PlainDateTime.from(`${day}T${at}`).toZonedDateTime(timezone).epochMilliseconds
  return new Date(Math.max(now.getTime(), own))
}

/** Shifts the dates, so that their distance from the new day is that from the first day. */
function shifted(item: Item, { day }: ItemRecurrence, turn: Temporal.PlainDate): ItemPatch {
  const days = Temporal.PlainDate.from(day).until(turn).days
  const move = (date: string | null) => date && Temporal.PlainDate.from(date).add({ days }).toString()
  return { startDate: move(item.startDate), dueDate: move(item.dueDate) }
}

/** Schedules the next time after a success. */
async function scheduleNext(
  ctx: Context,
  recurrence: ItemRecurrence,
  more: { itemId?: Id; day?: string },
): Promise<void> {
  const [next] = recurrence.mode === recurrenceMode.schedule ? occurrences(recurrence, ctx.now, 1) : []
  await ctx.sql`update item_recurrence set item_id = ${more.itemId ?? recurrence.itemId}, day = ${more.day ?? recurrence.day},
      next_at = ${next?.toInstant().toString() ?? null}, last_at = ${ctx.now}, made = made + 1, last_error = ''
    where tenant_id = ${ctx.caller.tenantId} and item_id = ${recurrence.itemId}`
}

/** Records a failure and schedules the next time, instead of retrying forever. */
async function skip(ctx: Context, itemId: Id, reason: string): Promise<void> {
  const recurrence = await findRecurrence(ctx, itemId)
  if (!recurrence) return
  const [next] = recurrence.mode === recurrenceMode.schedule ? occurrences(recurrence, ctx.now, 1) : []
  await ctx.sql`update item_recurrence set next_at = ${next?.toInstant().toString() ?? null}, last_error = ${reason}
    where tenant_id = ${ctx.caller.tenantId} and item_id = ${itemId}`
}
