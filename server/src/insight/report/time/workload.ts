import { closedCategories } from '../../../items/status.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { and, raw, type Sql, sql, unprepared } from '../../../kernel/sql.ts'
import { capacities, daysBetween } from '../../../plan/capacity/capacity.ts'
import { together } from '../../../records/together.ts'
import { sources } from '../../query/source.ts'
import { readPeriod } from '../period.ts'
import { computedReport, oneOf } from '../report.ts'
import type { ReportInput } from '../report-declaration.ts'
import { bodyWith, common, rowOf } from '../report-schema.ts'
import { bounded } from '../table.ts'
import { teamOf } from './team.ts'

const { timezone = {}, containerIds = {}, userIds = {} } = common
const maxDays = 366

/** How much open work users have, compared with what they can do in a period. */
export const workload = computedReport<ReportInput>('workload', {
  about: `The remaining minutes of the open items that are assigned to each user, divided equally between the assignees of an item, and the minutes that the user can work in the period. \`load\` is remaining ÷ capacity; null without capacity. Items without an estimate are counted in \`items\` only. At most ${maxDays} days.`,
  source: sources.Item,
  placed: false, // it names all staff
  reveals: ['assignees', 'remainingMinutes', 'statusCategory'],
  body: bodyWith({ timezone, containerIds, userIds }),
  row: rowOf('workload', {
    user: { type: 'string' },
    userLabel: { type: 'string' },
    items: { type: 'integer' },
    remaining: { type: 'number', description: 'Minutes.' },
    capacity: { type: 'integer', description: 'Minutes.' },
    load: { type: ['number', 'null'] },
  }),
  async rows(ctx, input) {
    const { first, last } = readPeriod(ctx, input, maxDays)
    const team = await teamOf(ctx, input.userIds)
    const ids = team.map(({ id }) => id)
    const [able, assigned] = await together([
      capacities(ctx, ids, daysBetween(first, last)),
      assignedWork(ctx, input, ids),
    ])
    const work = new Map(assigned.map(each => [each.id, each]))
    return team.map(({ id, name }) => {
      const { items = 0, remaining = 0 } = work.get(id) ?? {}
      const capacity = Math.round((able.get(id) ?? []).reduce((sum, day) => sum + day.capacity, 0) / 60)
      const load = capacity === 0 ? null : Math.round((remaining / capacity) * 10_000) / 10_000
      return { key: id, text: JSON.stringify({ user: id, userLabel: name, items, remaining, capacity, load }) }
    })
  },
  async records(ctx, input, key) {
    return isId(key) ? sql`${openItems(ctx, input)} and ${key}::uuid = any(t.assignees)` : raw('false')
  },
})

/** The open items of each of these users, and the remaining minutes of their shares. */
async function assignedWork(ctx: Context, input: ReportInput, userIds: readonly Id[]) {
  return await bounded(
    ctx,
    () =>
      ctx.sql<{ id: Id; items: number; remaining: number }>`${unprepared(sql`
    select a.id, count(*)::int as items, round(sum(t.remaining_minutes::numeric / cardinality(t.assignees)), 2)::float8 as remaining
    from item t cross join lateral unnest(t.assignees) as a(id) where ${openItems(ctx, input)} and a.id = any(${userIds}::uuid[]) group by a.id`)}`,
  )
}

function openItems(ctx: Context, { containerIds: asked }: ReportInput): Sql {
  const open = sql`t.status_category not in ${closedCategories} and not t.archived`
  return and([sources.Item.rows(ctx), open, oneOf(raw('t.container_id'), asked)])
}
