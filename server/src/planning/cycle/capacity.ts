import { Temporal } from 'temporal-polyfill'
import { absentDaysOf } from '../../admin/leave/leave.ts'
import { capacityReader, type Worker } from '../../admin/user-capacity.ts'
import { defaultWeek } from '../../admin/working-hours.ts'
import { type Cycle, cycles } from '../../containers/cycle/cycle.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { timezoneOf } from './cycle-log.ts'

const minutes = (description: string): Schema => ({ type: 'integer', description })

/** Compares the capacity of a cycle’s people in its remaining days with the remaining work. */
export const capacity = operation({
  permission: cycles.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Capacity of a cycle',
  description:
    'The capacity of each person from today (for a planned cycle from its first day) to the last day, compared with the remaining work of the open items assigned to them. The capacity comes from `capacity`, or else from the working hours (eight hours on weekdays if they cannot be read), without days of absence. The remaining work is `remainingMinutes`, or else the estimate, divided evenly among several assignees. The people are the members of the group and all assignees. If `capacityMinutes` of the cycle is set, it replaces the sum of the capacities.',
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'CycleCapacity',
      properties: {
        capacityMinutes: minutes('The total capacity.'),
        remainingMinutes: minutes('The total remaining work.'),
        unassignedMinutes: minutes('The remaining work without an assignee.'),
        workingDays: minutes('The number of remaining weekdays.'),
        people: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              userId: { type: 'string' },
              name: { type: 'string' },
              capacityMinutes: minutes('The capacity by their working hours.'),
              remainingMinutes: minutes('The remaining work of the items that are assigned to them.'),
              items: minutes('The number of open items that are assigned to them.'),
            },
            required: ['userId', 'name', 'capacityMinutes', 'remainingMinutes', 'items'],
          },
        },
      },
      required: ['capacityMinutes', 'remainingMinutes', 'unassignedMinutes', 'workingDays', 'people'],
    },
    description: 'Capacity and remaining work, in total and by person.',
  },
  refusals: [404],
  async run(ctx, { params }) {
    const cycle = await cycles.get(ctx, params.id ?? '')
    const days = daysLeft(cycle, ctx.now, await timezoneOf(ctx, cycle))
    const loads = await loadsOf(ctx, cycle)
    const people = (
      await peopleOf(
        ctx,
        cycle,
        [...loads.keys()].filter(id => id !== ''),
      )
    ).map(({ id, name, ...worker }) => ({
      userId: id,
      name,
      capacityMinutes: minutesIn(worker, days),
      remainingMinutes: Math.round(loads.get(id)?.minutes ?? 0),
      items: loads.get(id)?.items ?? 0,
    }))
    const sum = people.reduce((total, each) => total + each.capacityMinutes, 0)
    return {
      body: {
        capacityMinutes: cycle.capacityMinutes || sum,
        remainingMinutes: Math.round([...loads.values()].reduce((total, each) => total + each.minutes, 0)),
        unassignedMinutes: Math.round(loads.get('')?.minutes ?? 0),
        workingDays: days.filter(day => (defaultWeek[day.dayOfWeek - 1] ?? 0) > 0).length,
        people,
      },
    }
  },
})

const maxDays = 400

/** The remaining days of the cycle. */
function daysLeft(
  { startDate, endDate }: Pick<Cycle, 'startDate' | 'endDate'>,
  now: Date,
  timezone: string,
): Temporal.PlainDate[] {
  if (!startDate || !endDate) return []
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
  const [first, last] = [Temporal.PlainDate.from(startDate), Temporal.PlainDate.from(endDate)]
  const days: Temporal.PlainDate[] = []
  let day = Temporal.PlainDate.compare(first, today) < 0 ? today : first
  for (; days.length < maxDays && Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) days.push(day)
  return days
}

function minutesIn(worker: Worker, days: readonly Temporal.PlainDate[]): number {
  // Clocks are not considered, because they belong to a later room.
  const capacityOn = capacityReader(worker, () => undefined)
  return days.reduce((sum, day) => sum + capacityOn(day.toString(), day.dayOfWeek).minutes, 0)
}

interface Load {
  minutes: number
  items: number
}

/**
 * The remaining work by assignee; the empty id stands for work without an assignee. It is 0 for callers from whom the minutes of
 * items are hidden.
 */
async function loadsOf(ctx: Context, { id }: Cycle): Promise<Map<Id, Load>> {
  const { redaction } = ctx.services
  const hidden = ['remainingMinutes', 'estimateMinutes'].some(each =>
    redaction.hidesSomewhere(ctx.caller, 'Item', each),
  )
  const rows = await ctx.sql<Load & { id: Id | null }>`
    select a.id, sum(case when t.remaining_minutes > 0 then t.remaining_minutes else t.estimate_minutes end::float8 / greatest(1, cardinality(t.assignees)))::float8 as minutes, count(*)::int as items
    from item t left join lateral unnest(t.assignees) a(id) on true
    where t.tenant_id = ${ctx.caller.tenantId} and t.cycle_id = ${id} and not t.deleted and t.closed_at is null group by a.id`
  return new Map(rows.map(({ id: who, minutes, items }) => [who ?? '', { minutes: hidden ? 0 : minutes, items }]))
}

async function peopleOf(
  ctx: Context,
  { userGroupId }: Cycle,
  assigned: readonly Id[],
): Promise<(Worker & { id: Id; name: string })[]> {
  const { tenantId } = ctx.caller
  const members = userGroupId
    ? sql`or u.id = any((select g.members from user_group g where g.tenant_id = ${tenantId} and g.id = ${userGroupId} and not g.deleted)::uuid[])`
    : sql``
  return await ctx.sql`select u.id, u.name, u.working_hours as "workingHours", u.capacity, ${absentDaysOf(raw('u'))} as absence from "user" u
    where u.tenant_id = ${tenantId} and not u.deleted and (u.id = any(${assigned}::uuid[]) ${members}) order by u.name, u.id`
}
