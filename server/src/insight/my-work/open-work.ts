import { clockState } from '../../clocks/item-clock/item-clock.ts'
import { isStaffSomewhere } from '../../identity/visibility.ts'
import { items } from '../../items/item/item.ts'
import { statusCategory } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { join, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { localDay } from '../../time/time-entry.ts'

/** The lists of open work in the order of precedence: an item is in the first one that it belongs to. */
export const workLists = ['now', 'overdue', 'waiting', 'soon', 'later'] as const
export type WorkList = (typeof workLists)[number]

/** What is due within so many days is due soon. */
const soonDays = 7

const t = raw('t')
const running = raw([clockState.green, clockState.amber, clockState.red].join(', '))
const red = raw(String(clockState.red))

interface OpenWork {
  ids: Record<WorkList, Id[]>
  counts: Record<WorkList, number>
}

/**
 * The open items that are assigned to the caller, in lists. One statement reads them by the index of open assignments: its cost is
 * that of the caller's open work, however much was closed before.
 */
export async function openWork(ctx: Context, size: number): Promise<OpenWork> {
  const { caller, services } = ctx
  const found: OpenWork = {
    ids: { now: [], overdue: [], waiting: [], soon: [], later: [] },
    counts: { now: 0, overdue: 0, waiting: 0, soon: 0, later: 0 },
  }
  // The list and the place of an item would tell a value that is hidden from the caller.
  const isShown = (property: string) => !services.redaction.hidesSomewhere(caller, items.entity, property)
  if (!isShown('assignees')) return found
  const rows = await ctx.sql<{ id: Id; list: WorkList; count: number }>`
    with mine as materialized (
      select t.id, ${listOf(ctx, isShown)} as list, k.breach, k.is_red, ${isShown('dueDate') ? raw('t.due_date') : raw('null::date')} as due,
        ${isShown('priority') ? raw('nullif(t.priority, 0)') : raw('null::integer')} as priority
      from item_assignee a join item t on t.tenant_id = ${ownTenant} and t.id = a.item_id
      left join lateral (select min(c.due_at) as breach, bool_or(c.state = ${red}) as is_red from item_clock c
        where c.tenant_id = ${ownTenant} and c.item_id = t.id and c.ended_at is null and c.state in (${running})) k on true
      where a.tenant_id = ${caller.tenantId} and a.user_id = ${caller.userId} and a.open and not t.deleted and not t.archived and ${items.visible(caller, t)}
    ), ranked as (
      select m.id, m.list, count(*) over (partition by m.list)::int as count, row_number() over (partition by m.list order by
        (m.list = 'waiting' and m.is_red) desc, case when m.list = 'waiting' then m.breach end, m.due nulls last, m.priority nulls last, m.id) as place
      from mine m
    )
    select r.id, r.list, r.count from ranked r where r.place <= ${size} order by r.list, r.place`
  for (const { id, list, count } of rows) {
    found.ids[list].push(id)
    found.counts[list] = count
  }
  return found
}

/** The list of an item (`t`) with its running clocks (`k`), among those that the caller may know of. */
function listOf({ caller, now }: Context, isShown: (property: string) => boolean): Sql {
  const today = localDay(now, caller.timezone)
  const cases: Sql[] = []
  if (isShown('status') && isShown('statusCategory'))
    cases.push(sql`when t.status_category = ${statusCategory.started} then 'now'`)
  if (isShown('dueDate')) cases.push(sql`when t.due_date < ${today}::date then 'overdue'`)
  if (isStaffSomewhere(caller)) cases.push(raw("when k.breach is not null then 'waiting'"))
  if (isShown('dueDate')) cases.push(sql`when t.due_date <= ${today}::date + ${soonDays}::int then 'soon'`)
  return cases.length > 0 ? sql`case ${join(cases, ' ')} else 'later' end` : raw("'later'")
}
