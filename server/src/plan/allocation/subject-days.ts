import { defaultWeek } from '../../admin/working-hours.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { occurrences } from '../../language/recurrence/recurrence.ts'
import type { RowSource } from '../../records/row-source.ts'
import { capacities, daysBetween, type UserDay } from '../capacity/capacity.ts'
import type { CapacityDay } from './spread.ts'

/** The part of an allocation that says who works on which days. */
export interface Demand {
  userId: Id | ''
  userGroupId: Id | ''
  from: string
  to: string
  recurrence: string
}

/** The days of allocations with the capacity of their subjects, and what else was read for it. */
export interface SubjectDays {
  /** The days that an allocation plans, with the capacity of its user, its group, or of a default week. */
  daysOf(demand: Demand): CapacityDay[]
  users: ReadonlyMap<Id, readonly UserDay[]>
  /** The members of each group, with those of the groups inside. */
  members: ReadonlyMap<Id, readonly Id[]>
}

/** Reads the capacity for allocations, and of further users, from the first day of all to the last. */
export async function subjectDays(
  ctx: Context,
  demands: readonly Demand[],
  more: { userIds?: readonly Id[]; groupIds?: readonly Id[]; from?: string; to?: string; rows?: RowSource } = {},
): Promise<SubjectDays> {
  const from = [...demands.map(each => each.from), ...(more.from ? [more.from] : [])].sort()[0]
  const to = [...demands.map(each => each.to), ...(more.to ? [more.to] : [])].sort().at(-1)
  const days = from && to ? daysBetween(from, to) : []
  const groupIds = [...new Set([...demands.map(each => each.userGroupId), ...(more.groupIds ?? [])])].filter(Boolean)
  const members = await membersOf(ctx, groupIds)
  const userIds = [
    ...new Set([...demands.map(each => each.userId), ...[...members.values()].flat(), ...(more.userIds ?? [])]),
  ].filter(Boolean)
  const users = await capacities(ctx, userIds, days, more.rows)
  const groups = new Map([...members].map(([id, ids]) => [id, summed(ids.map(each => users.get(each) ?? []))]))
  const nobody = days.map(({ date, weekday }) => ({ date, capacity: (defaultWeek[weekday - 1] ?? 0) * 60 }))
  return {
    daysOf(demand) {
      const all = demand.userId
        ? (users.get(demand.userId) ?? [])
        : demand.userGroupId
          ? (groups.get(demand.userGroupId) ?? [])
          : nobody
      const holds = plannedDates(demand)
      return all.filter(({ date }) => date >= demand.from && date <= demand.to && (!holds || holds.has(date)))
    },
    users,
    members,
  }
}

function summed(all: readonly (readonly UserDay[])[]): CapacityDay[] {
  return (all[0] ?? []).map(({ date }, i) => ({
    date,
    capacity: all.reduce((sum, days) => sum + (days[i]?.capacity ?? 0), 0),
  }))
}

/** The dates on which the recurrence of an allocation holds; undefined if it has none. */
export function plannedDates({
  from,
  to,
  recurrence,
}: Pick<Demand, 'from' | 'to' | 'recurrence'>): ReadonlySet<string> | undefined {
  if (recurrence === '') return undefined
  const rule = { rule: recurrence, day: from, at: '00:00', timezone: 'UTC' }
  const count = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  const found = occurrences(rule, new Date(Date.parse(from) - 1), count).map(each => each.toPlainDate().toString())
  return new Set(found.filter(date => date <= to))
}

async function membersOf(ctx: Context, groupIds: readonly Id[]): Promise<Map<Id, Id[]>> {
  if (groupIds.length === 0) return new Map()
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ root: Id; userId: Id }>`with recursive inside as (
      select g.id as root, g.id from user_group g where g.tenant_id = ${tenantId} and g.id = any(${groupIds}::uuid[]) and not g.deleted
      union select inside.root, g.id from user_group g join inside on g.parent_id = inside.id where g.tenant_id = ${tenantId} and not g.deleted)
    select distinct inside.root, m.user_id as "userId" from inside
      join user_group_member m on m.tenant_id = ${tenantId} and m.group_id = inside.id
      join "user" u on u.tenant_id = ${tenantId} and u.id = m.user_id and not u.deleted and u.active`
  const found = Map.groupBy(rows, each => each.root)
  return new Map(groupIds.map(id => [id, (found.get(id) ?? []).map(each => each.userId)]))
}
