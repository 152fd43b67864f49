import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { demandBooking, refuseLocked, type Time, type TimeValues, times } from '../time.ts'
import { readTimeSpan } from '../time-entry.ts'
import { refuseViolations } from '../time-limits.ts'

export { insertTimes, type NewTime } from './insert-times.ts'

// The writes of time entries. Everything that books time one entry at a time goes through these functions; the entries in the body
// of an item are stored by `insertTimes`, within the statement that stores the item.

/** The body of a time entry: `minutes` and `hours` are other units for the length. */
export type TimeBody = Partial<TimeValues> & { hours?: number | null }

export async function createTime(ctx: Context, values: TimeBody): Promise<Time> {
  const entry = await times.create(ctx, await completedTime(ctx, values))
  await refuseViolations(ctx, [entry.id])
  return entry
}

export async function changeTime(ctx: Context, id: Id, values: TimeBody, more: object): Promise<Time> {
  const before = await times.get(ctx, id)
  const entry = await times.update(ctx, id, await completedTime(ctx, values, before), more)
  if (entry.version !== before.version) await refuseViolations(ctx, [entry.id])
  return entry
}

export async function removeTime(ctx: Context, id: Id, more: object): Promise<Time> {
  const entry = await times.get(ctx, id)
  demandBooking(ctx, entry.userId, entry.containerId)
  refuseLocked(entry)
  return await times.remove(ctx, id, more)
}

/** Adds what follows from the given values: length and day, the user’s time zone, and the container of the item. */
async function completedTime(
  ctx: Context,
  { hours = null, ...values }: TimeBody,
  before?: Time,
): Promise<Partial<TimeValues>> {
  const userId = (values.userId || before?.userId || ctx.caller.userId).toLowerCase()
  const timezone = await timezoneOf(ctx, userId)
  const span = readTimeSpan({ ...values, hours }, { timezone, now: ctx.now, before })
  if (Array.isArray(span)) throw new Invalid(span)
  const itemId = values.itemId ?? before?.itemId ?? ''
  return { ...values, ...span, userId, timezone, containerId: itemId ? await containerOf(ctx, itemId) : '' }
}

async function timezoneOf(ctx: Context, userId: Id): Promise<string> {
  const [row] = await ctx.sql<{
    timezone: string
  }>`select coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone
    from "user" u join tenant t on t.tenant_id = u.tenant_id where u.tenant_id = ${ctx.caller.tenantId} and u.id::text = ${userId}`
  return row?.timezone ?? 'UTC'
}

async function containerOf(ctx: Context, itemId: Id): Promise<Id | ''> {
  const [row] = await ctx.sql<{
    id: Id
    archived: boolean
  }>`select c.id, c.archived from item i join container c on c.tenant_id = ${ownTenant} and c.id = i.container_id
    where i.tenant_id = ${ctx.caller.tenantId} and i.id::text = ${itemId.toLowerCase()}`
  if (row?.archived) throw new RuleBroken('container-archived', 'an archived container can only be read')
  return row?.id ?? ''
}
