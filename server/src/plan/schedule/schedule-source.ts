import { dayReaderOf, type HoursPart } from '../../clocks/calendar/calendar.ts'
import { type Clock, clocks } from '../../clocks/clock/clock.ts'
import { hoursPartsByClock } from '../../clocks/region/region.ts'
import { containers } from '../../containers/container/container.ts'
import { items as itemKind } from '../../items/item/item.ts'
import { behaviours } from '../../items/link/link.ts'
import { closedCategories } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { type RowSource, storedRows } from '../../records/row-source.ts'
import type { ScheduleItem } from './schedule.ts'
import type { Dependency } from './schedule-graph.ts'
import { dateOf, everyDay, type WorkCalendar } from './work-calendar.ts'

/** The condition for links (`l`) that schedule. */
export const scheduling = sql`l.behaviour = ${behaviours.precedes} and l.to_id is not null and not l.deleted`

type ItemRow = Omit<ScheduleItem, 'calendar'> & { containerId: Id | '' }

/** Reads items (`t`) as the schedule needs them, in the order of their ids. */
export async function readItems(
  ctx: Context,
  where: Sql,
  lock: Sql = raw(''),
  source: RowSource = storedRows,
): Promise<ScheduleItem[]> {
  const rows =
    await ctx.sql<ItemRow>`select t.id, coalesce(t.parent_id::text, '') as "parentId", t.start_date as "startDate", t.due_date as "dueDate",
      t.scheduling, t.start_no_earlier as "startNoEarlier", t.status_category in ${closedCategories} or t.merged_into is not null as closed,
      coalesce(t.container_id::text, '') as "containerId",
      (select c.due_date from ${source(containers)} c where c.tenant_id = ${ownTenant} and c.id = t.container_id) as deadline
    from ${source(itemKind)} t where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${where} order by t.id ${lock}`
  const calendars = await calendarsOf(ctx, [...new Set(rows.map(each => each.containerId))].filter(Boolean))
  return rows.map(({ containerId, ...item }) => ({ ...item, calendar: calendars.get(containerId) ?? everyDay }))
}

/** The links that make these items wait, or let others wait for them. */
export async function readLinks(ctx: Context, ids: readonly Id[]): Promise<Dependency[]> {
  return await ctx.sql<Dependency>`select l.id as "linkId", l.from_id as "fromId", l.to_id as "toId", l.dependency, l.lag_days as "lagDays" from link l
    where l.tenant_id = ${ctx.caller.tenantId} and l.to_id = any(${ids}::uuid[]) and ${scheduling} order by l.id`
}

/** Adds the items outside for which these wait; they are not scheduled themselves. */
export async function withPredecessors(
  ctx: Context,
  items: readonly ScheduleItem[],
  links: readonly Dependency[],
  source: RowSource = storedRows,
): Promise<ScheduleItem[]> {
  const known = new Set(items.map(each => each.id))
  const outside = [...new Set(links.map(each => each.fromId))].filter(id => !known.has(id))
  if (outside.length === 0) return [...items]
  // What a scenario makes of items cannot be locked, and nothing is written by it.
  const lock = source === storedRows ? raw('for share of t') : raw('')
  const found = await readItems(ctx, sql`t.id = any(${outside}::uuid[])`, lock, source)
  return [...items, ...found.map(each => ({ ...each, outside: true }))]
}

/** The working days of containers: those of their clock, else of the tenant's; a container without either works every day. */
export async function calendarsOf(ctx: Context, containerIds: readonly Id[]): Promise<Map<Id, WorkCalendar>> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ id: Id; json: string }>`select c.id, ${clocks.json(raw('k'))} as json
    from container c join tenant n on n.tenant_id = ${tenantId} and n.id = ${tenantId}
    join clock k on k.tenant_id = ${ownTenant} and k.id = coalesce(c.clock_id, n.default_clock_id) and not k.deleted
    where c.tenant_id = ${tenantId} and c.id = any(${containerIds}::uuid[])`
  const found = rows.map(({ id, json }): { id: Id; clock: Clock } => ({ id, clock: JSON.parse(json) }))
  const hours = await hoursPartsByClock(
    ctx,
    found.map(each => each.clock),
  )
  const calendars = new Map([...hours].map(([clockId, parts]) => [clockId, workCalendar(parts)]))
  return new Map(found.map(({ id, clock }) => [id, calendars.get(clock.id) ?? everyDay]))
}

/** A day on which the clock has hours is a working day. */
function workCalendar(parts: readonly HoursPart[]): WorkCalendar {
  const read = dayReaderOf(parts)
  const known = new Map<number, boolean>()
  // 1970-01-01 was a Thursday.
  const dayOf = (day: number) => read(dateOf(day), ((((day + 3) % 7) + 7) % 7) + 1)
  return {
    isOpen(day) {
      const open = known.get(day) ?? dayOf(day).hours.length > 0
      known.set(day, open)
      return open
    },
    closure(day) {
      const { because, name } = dayOf(day)
      return { date: dateOf(day), reason: because, ...(name === undefined ? {} : { name }) }
    },
  }
}
