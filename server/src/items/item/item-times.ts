import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { insertTimes, type Time, times, visibleTimes } from '../../time/time.ts'
import { refuseViolations } from '../../time/time-limits.ts'
import { type ReadTime, timeRow } from '../item-body/time-input.ts'
import type { Item } from './item.ts'

/** Adds time entries that do not exist yet. Entries are identified by their external id, else by user, date, minutes and note. */
export async function addTimes(ctx: Context, item: Item, given: readonly ReadTime[]): Promise<void> {
  const known = await ctx.sql<{
    userId: Id
    date: string
    minutes: number
    note: string
    externalId: string
  }>`select user_id as "userId", date, minutes, note, external_id as "externalId" from time where tenant_id = ${ctx.caller.tenantId} and item_id = ${item.id} and not deleted`
  const same = (entry: ReadTime) =>
    known.some(each =>
      entry.externalId
        ? each.externalId === entry.externalId
        : each.userId === entry.userId &&
          each.date === entry.date &&
          each.minutes === entry.minutes &&
          each.note === entry.note,
    )
  const fresh = given.filter(entry => !same(entry)).map(entry => ({ id: newId(), ...timeRow(entry), changes: entry }))
  if (fresh.length === 0) return
  const { tenantId, userId } = ctx.caller
  await ctx.sql`${insertTimes(sql`select ${tenantId}::uuid, e.id, ${ctx.now}::timestamptz, ${userId}::uuid, ${ctx.now}::timestamptz, ${userId}::uuid, e.user_id, ${item.id}::uuid, e.non_billable, ${item.containerId}::uuid, e.date, e.start, e."end", e.minutes, e.note, e.billable, e.external_id, e.timezone, 1
    from jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) as e(id uuid, user_id uuid, non_billable uuid, date date, start timestamptz, "end" timestamptz, minutes int, note text, billable int, external_id text, timezone text)`)}`
  await appendEvents(
    ctx,
    fresh.map(({ id, changes }) => ({
      kind: 'time.created',
      entity: 'Time',
      recordId: id,
      changes: {
        itemId: { to: item.id },
        userId: { to: changes.userId },
        date: { to: changes.date },
        minutes: { to: changes.minutes },
      },
    })),
  )
  await refuseViolations(
    ctx,
    fresh.map(each => each.id),
  )
}

/** The time entries of an item that the caller may see. */
export async function timesOf(ctx: Context, itemId: Id): Promise<Time[]> {
  const s = raw('s')
  const [row] = await ctx.sql<{
    text: string
  }>`select coalesce(json_agg(${times.json(s)}::json order by s.date, s.created, s.id), '[]')::text as text from time s
    where s.tenant_id = ${ctx.caller.tenantId} and s.item_id = ${itemId} and not s.deleted and ${visibleTimes(ctx.caller, s)}`
  return JSON.parse(row?.text ?? '[]')
}
