import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { refuseClosed } from '../../time/closed/closed.ts'
import { insertTimes, limitsDays, refuseFullDays } from '../../time/entry/entry.ts'
import { embeddedTime, type Time, visibleTimes } from '../../time/time.ts'
import { refuseViolations } from '../../time/time-limits.ts'
import type { ReadTime } from '../item-body/time-input.ts'
import type { Item } from './item.ts'

/** Adds time entries that do not exist yet. Entries are identified by their external id, else by user, date, length or times, and note. */
export async function addTimes(ctx: Context, item: Item, given: readonly ReadTime[]): Promise<void> {
  const s = raw('s')
  const known = await ctx.sql<Pick<Time, 'userId' | 'date' | 'start' | 'end' | 'seconds' | 'note' | 'externalId'>>`
    select s.user_id as "userId", s.date, ${instantText(sql`${s}.start`)} as start, ${instantText(sql`${s}."end"`)} as "end", s.seconds, s.note, s.external_id as "externalId"
    from time s where s.tenant_id = ${ctx.caller.tenantId} and s.item_id = ${item.id} and not s.deleted`
  const same = (entry: ReadTime) =>
    known.some(each =>
      entry.externalId
        ? each.externalId === entry.externalId
        : each.userId === entry.userId && each.date === entry.date && each.note === entry.note && sameSpan(each, entry),
    )
  await refuseClosed(
    ctx,
    given.flatMap((entry, i) =>
      same(entry) ? [] : [{ ...entry, containerId: item.containerId, path: ['Time', i, 'date'] }],
    ),
  )
  const fresh = given
    .filter(entry => !same(entry))
    .map(entry => ({ ...entry, id: newId(), itemId: item.id, containerId: item.containerId }))
  if (fresh.length === 0) return
  const ofItem = sql`left join item i on i.tenant_id = ${ctx.caller.tenantId} and i.id = e."itemId"`
  await ctx.sql`${insertTimes(ctx, fresh, ofItem, raw('i.crm_id'))}`
  await appendEvents(
    ctx,
    fresh.map(({ id, itemId, userId, date, seconds, minutes }) => ({
      kind: 'time.created',
      entity: 'Time',
      recordId: id,
      changes: {
        itemId: { to: itemId },
        userId: { to: userId },
        date: { to: date },
        seconds: { to: seconds },
        minutes: { to: minutes },
      },
    })),
  )
  const ids = fresh.map(each => each.id)
  await refuseViolations(ctx, ids)
  if (await limitsDays(ctx)) await refuseFullDays(ctx, ids)
}

/** Times that were once rounded to minutes are still those of the same entry. */
function sameSpan(a: Pick<Time, 'start' | 'end' | 'seconds'>, b: Pick<Time, 'start' | 'end' | 'seconds'>): boolean {
  return a.seconds === b.seconds || (a.start !== null && a.end !== null && a.start === b.start && a.end === b.end)
}

/** The time entries of an item that the caller may see. */
export async function timesOf(ctx: Context, itemId: Id): Promise<Time[]> {
  const s = raw('s')
  const [row] = await ctx.sql<{
    text: string
  }>`select coalesce(json_agg(${embeddedTime}::json order by s.date, s.created, s.id), '[]')::text as text from time s
    where s.tenant_id = ${ctx.caller.tenantId} and s.item_id = ${itemId} and not s.deleted and ${visibleTimes(ctx.caller, s)}`
  return JSON.parse(row?.text ?? '[]')
}
