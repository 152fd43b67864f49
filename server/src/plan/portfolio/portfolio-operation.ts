import { healths } from '../../containers/container-health.ts'
import { containerBudgetUses } from '../../finance/budget/budget.ts'
import { tenantToday } from '../../finance/tenant-day.ts'
import { visibleContainers } from '../../identity/visibility.ts'
import { items } from '../../items/item/item.ts'
import { closedCategories, statusCategory } from '../../items/status.ts'
import { mayAt } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { allocations } from '../allocation/allocation.ts'
import {
  amounts,
  budgetSums,
  earliest,
  latest,
  noWork,
  type PortfolioContainer,
  progressOf,
  sumOf,
  type Work,
  worstHealth,
} from './portfolio.ts'

const maxContainers = 100

const date: Schema = { type: ['string', 'null'], format: 'date' }
const count: Schema = { type: 'integer' }
const text: Schema = { type: 'string' }
const decimal: Schema = { type: 'string', format: 'decimal' }
const work: Record<string, Schema> = {
  progress: { type: ['number', 'null'], description: '0 to 1.' },
  progressBy: { type: 'string', enum: ['estimate', 'count'] },
  items: { ...count, description: 'Without cancelled items and without items that have children.' },
  done: count,
  overdue: { ...count, description: 'Open and due before today.' },
  estimateMinutes: count,
  remainingMinutes: count,
  firstStart: { ...date, description: 'The earliest start of an item.' },
  lastDue: { ...date, description: 'The latest due date of an item.' },
  startDate: date,
  dueDate: date,
}
const sums = { unit: count, currency: text, current: decimal, actual: decimal, left: decimal }
const listOf = (properties: Record<string, Schema>): Schema => ({
  type: 'array',
  items: { type: 'object', properties, required: Object.keys(properties) },
})
const container = {
  id: text,
  key: text,
  name: text,
  health: Code(healths),
  healthNote: text,
  archived: { type: 'boolean' },
}
const total: Record<string, Schema> = {
  ...work,
  health: { ...Code(healths, { description: 'The worst.' }), type: ['integer', 'null'] },
  budgets: listOf({ ...sums, budgets: count }),
}

/** Sums up several containers. */
const portfolio = operation({
  permission: allocations.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Sum up containers',
  description: `Progress, dates, health and budgets of containers, and of all of them together. Progress is that of the items (done: 1, open: their \`progress\`), weighted by their estimates, or each alike where none is estimated. Budgets show what they hold in the present period, what was used and what is left; sums are by unit and currency. Items, fields and budgets that the caller does not see do not count. At most ${maxContainers} containers (422 \`too-large\`).`,
  query: {
    containerIds: {
      type: 'string',
      description: 'Ids, separated by commas; by default all containers that are neither archived nor templates.',
    },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'Portfolio',
      properties: {
        total: { type: 'object', properties: total, required: Object.keys(total) },
        containers: listOf({ ...container, ...work, budgets: listOf({ budgetId: text, name: text, ...sums }) }),
      },
      required: ['total', 'containers'],
    },
    description: 'The containers by name, and their sums.',
  },
  refusals: [422],
  async run(ctx, { query }) {
    const found = await containersOf(ctx, query.containerIds)
    const ids = found.map(each => each.id)
    const works = await worksOf(ctx, ids)
    const uses = await containerBudgetUses(ctx, ids)
    const rows = found.map(each => ({
      ...each,
      ...shownWork(works.get(each.id) ?? noWork),
      budgets: uses
        .filter(use => use.containerId === each.id)
        .map(({ budgetId, name, unit, currency, current, actual }) => ({
          ...{ budgetId, name, unit, currency },
          ...amounts(current, actual),
        })),
    }))
    const all = {
      ...shownWork(sumOf([...works.values()])),
      startDate: earliest(rows.flatMap(each => [each.startDate, each.firstStart])),
      dueDate: latest(rows.flatMap(each => [each.dueDate, each.lastDue])),
      health: worstHealth(found),
      budgets: budgetSums(uses),
    }
    return { body: { total: all, containers: rows } }
  },
})

function shownWork(all: Work) {
  const { progressed, progressedMinutes, ...shown } = all
  return { ...progressOf(all), ...shown }
}

type FoundContainer = PortfolioContainer & { key: string; name: string }

/** The containers that the query names, which must all exist for the caller, or all that the caller plans for. */
async function containersOf(ctx: Context, given: unknown): Promise<FoundContainer[]> {
  const named = given === undefined ? undefined : idsIn(String(given))
  const none = raw('null::uuid')
  const plans = mayAt(ctx.caller, allocations.permissions.read, raw('t'), {
    container: raw('t.id'),
    area: none,
    item: none,
  })
  const which = named ? sql`t.id = any(${named.filter(isId)}::uuid[])` : raw('not t.archived and not t.template')
  const found = await ctx.sql<FoundContainer>`
    select t.id, t.key, t.name, t.start_date as "startDate", t.due_date as "dueDate", t.health, t.health_note as "healthNote", t.archived
    from container t where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${which}
      and ${visibleContainers(ctx.caller, raw('t.id'))} and ${plans} order by lower(t.name), t.id limit ${maxContainers + 1}`
  const known = new Set(found.map(each => each.id))
  const faults = (named ?? []).flatMap((id, i) =>
    known.has(id) ? [] : [fault(['containerIds', i], 'unknown-reference', 'there is no such Container', id)],
  )
  if (found.length > maxContainers || (named && named.length > maxContainers))
    throw new RuleBroken('too-large', `more than ${maxContainers} containers; name those that count`)
  if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
  return found
}

const idsIn = (text: string): Id[] => [
  ...new Set(
    text
      .split(',')
      .map(each => each.trim().toLowerCase())
      .filter(Boolean),
  ),
]

/** The work of each container. Properties that are hidden from the caller on some items do not count at all. */
async function worksOf(ctx: Context, containerIds: readonly Id[]): Promise<Map<Id, Work>> {
  const { caller, services } = ctx
  const shown = (property: string, value: string, otherwise: string) =>
    raw(services.redaction.hidesSomewhere(caller, 'Item', property) ? otherwise : value)
  const category = shown('statusCategory', 't.status_category', String(statusCategory.backlog))
  const done = sql`${category} = ${statusCategory.done}`
  const progress = sql`case when ${done} then 1 else ${shown('progress', 't.progress', '0')}::numeric / 100 end`
  const estimate = shown('estimateMinutes', 't.estimate_minutes', '0')
  const remaining = shown('remainingMinutes', 't.remaining_minutes', '0')
  const [start, due] = [shown('startDate', 't.start_date', 'null::date'), shown('dueDate', 't.due_date', 'null::date')]
  const overdue = sql`${category} not in ${closedCategories} and ${due} < ${await tenantToday(ctx)}::date`
  const rows = await ctx.sql<Work & { id: Id }>`
    select t.container_id as id, count(*)::int as items, count(*) filter (where ${done})::int as done, count(*) filter (where ${overdue})::int as overdue,
      sum(${progress})::float8 as progressed, sum(${estimate})::float8 as "estimateMinutes", sum(${remaining})::float8 as "remainingMinutes",
      sum(${estimate} * ${progress})::float8 as "progressedMinutes", min(${start}) as "firstStart", max(${due}) as "lastDue"
    from item t where t.tenant_id = ${caller.tenantId} and t.container_id = any(${containerIds}::uuid[]) and not t.deleted
      and ${category} <> ${statusCategory.cancelled} and ${items.visible(caller, raw('t'))} and not ${hasChildren(ctx)}
    group by t.container_id`
  return new Map(rows.map(({ id, ...each }) => [id, each]))
}

/** Whether an item (`t`) has children that the caller sees; others must not show by their absence. */
function hasChildren({ caller }: Context): Sql {
  return sql`exists (select 1 from item c where c.tenant_id = ${caller.tenantId} and c.parent_id = t.id and c.container_id = t.container_id
    and ${and([raw('not c.deleted'), items.visible(caller, raw('c'))])})`
}

export const routes: Routes = {
  'GET /plan/portfolio': portfolio,
}
