import { budgets, budgetUnits } from '../../finance/budget/budget.ts'
import { items } from '../../items/item/item.ts'
import { maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { calendarsOf } from '../schedule/schedule-source.ts'
import { everyDay } from '../schedule/work-calendar.ts'
import { type Baseline, baselines, createBaseline, removeBaseline } from './baseline.ts'
import { type Comparison, compare, dayCounter } from './compare.ts'
import { readSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts'

const id: Schema = { type: 'string' }
const changes: Schema = {
  type: 'object',
  description:
    'Before and after of each property that differs; of a date also `days`, the working days by which it moved (negative: earlier), null if one of them is no date between 1970 and 2199.',
  additionalProperties: {
    type: 'object',
    properties: { from: {}, to: {}, days: { type: ['integer', 'null'] } },
    required: ['from', 'to'],
  },
}
const item = { entity: id, id, key: id, title: id, containerId: id, deleted: { type: 'boolean' } }
const itemSchema = (more: Record<string, Schema> = {}): Schema => ({
  type: 'array',
  items: { type: 'object', properties: { ...item, ...more }, required: ['entity', 'id'] },
})
const amount: Schema = { type: ['string', 'null'], format: 'decimal' }

const comparison = operation({
  permission: baselines.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Compare a baseline with the present plan',
  description:
    'What has changed since the baseline, or until another one (`to`), in the containers that both have: `items` that are in both, `added` and `removed` ones (deleted, or moved elsewhere), dates of `containers`, and amounts of `budgets`. It contains what the caller may see now: items, fields and budgets that are hidden from the caller are left out.',
  query: { to: { type: 'string', description: 'Another baseline; the present plan by default.' } },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'BaselineComparison',
      properties: {
        from: { type: 'string', format: 'date-time' },
        to: { type: 'string', format: 'date-time' },
        items: itemSchema({ changes }),
        added: itemSchema(),
        removed: itemSchema(),
        containers: { type: 'array', items: { type: 'object', properties: { id, changes }, required: ['id'] } },
        budgets: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              budgetId: id,
              containerId: id,
              unit: Code(budgetUnits),
              currency: id,
              from: amount,
              to: amount,
            },
            required: ['budgetId', 'containerId', 'unit', 'currency', 'from', 'to'],
          },
        },
      },
      required: ['from', 'to', 'items', 'added', 'removed', 'containers', 'budgets'],
    },
    description: 'The differences.',
  },
  refusals: [404, 422],
  async run(ctx, { params, query }) {
    const baseline = await baselines.get(ctx, params.id ?? '')
    const other = query.to === undefined ? undefined : await otherBaseline(ctx, String(query.to))
    const common = commonContainers(baseline, other)
    const before = within(await readSnapshot(ctx, baseline.id), common)
    const after = other
      ? within(await readSnapshot(ctx, other.id), common)
      : await takeSnapshot(ctx, [...common], undefined)
    const calendars = await calendarsOf(ctx, [...common])
    const days = dayCounter(containerId => calendars.get(containerId) ?? everyDay, datesOf(before, after))
    const hidden = (property: string) => ctx.services.redaction.hidesSomewhere(ctx.caller, 'Item', property)
    const found = compare(before, after, days, property => !hidden(property))
    return { body: { from: baseline.at, to: other?.at ?? ctx.now.toISOString(), ...(await shown(ctx, found)) } }
  },
})

/** A baseline that the query names; one that the caller does not see is as unknown as one that does not exist. */
async function otherBaseline(ctx: Context, named: string): Promise<Baseline> {
  const found = await baselines.find(ctx, named)
  if (found) return found
  throw new Invalid([fault(['to'], 'unknown-reference', 'there is no such Baseline', named)], 'the query is not valid')
}

function commonContainers(baseline: Baseline, other: Baseline | undefined): ReadonlySet<Id> {
  const common = new Set(baseline.containerIds.filter(each => !other || other.containerIds.includes(each)))
  if (common.size === 0)
    throw new RuleBroken('nothing-in-common', 'the baselines have no container in common', [
      fault(['to'], 'nothing-in-common', 'has other containers'),
    ])
  return common
}

const within = (all: Snapshot, containerIds: ReadonlySet<Id>): Snapshot => ({
  containers: all.containers.filter(each => containerIds.has(each.id)),
  items: all.items.filter(each => containerIds.has(each.containerId)),
  budgets: all.budgets.filter(each => containerIds.has(each.containerId)),
})

function* datesOf(...snapshots: readonly Snapshot[]): Generator<string | null> {
  for (const { items: planned, containers } of snapshots)
    for (const { startDate, dueDate } of [...planned, ...containers]) yield* [startDate, dueDate]
}

/** What the caller sees of a comparison now, whatever they saw when the baseline was made. */
async function shown(ctx: Context, { items: found, added, removed, budgets: amounts, containers }: Comparison) {
  const seen = await seenItems(ctx, [...found.map(each => each.id), ...added, ...removed])
  const present = (ids: readonly Id[]) => ids.flatMap(each => seen.get(each) ?? [])
  return {
    items: found.flatMap(each => present([each.id]).map(known => ({ ...known, changes: each.changes }))),
    added: present(added),
    removed: present(removed),
    containers,
    budgets: await seenBudgets(ctx, amounts),
  }
}

async function seenItems(ctx: Context, ids: readonly Id[]): Promise<Map<Id, { id: Id }>> {
  const rows = await ctx.sql<{
    id: Id
  }>`select 'Item' as entity, t.id, t.key, t.title, t.container_id as "containerId", t.deleted from item t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and ${items.visible(ctx.caller, raw('t'))}`
  return new Map(rows.map(row => [row.id, row]))
}

async function seenBudgets(ctx: Context, amounts: Comparison['budgets']) {
  if (amounts.length === 0 || !maySomewhere(ctx.caller, budgets.permissions.read)) return []
  const rows = await ctx.sql<{ id: Id; containerId: Id; unit: number; currency: string }>`
    select t.id, t.owner_id as "containerId", t.unit, t.currency from budget t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${amounts.map(each => each.budgetId)}::uuid[]) and ${budgets.visible(ctx.caller, raw('t'))}`
  const seen = new Map(rows.map(({ id: budgetId, ...more }) => [budgetId, more]))
  return amounts.flatMap(each => {
    const known = seen.get(each.budgetId)
    return known ? [{ ...each, ...known }] : []
  })
}

export const routes: Routes = {
  'GET /plan/baseline': list(baselines),
  'POST /plan/baseline': create(baselines, createBaseline),
  'PUT /plan/baseline': update(baselines),
  'GET /plan/baseline/:id': get(baselines),
  'PUT /plan/baseline/:id': update(baselines),
  'PATCH /plan/baseline/:id': update(baselines),
  'DELETE /plan/baseline/:id': remove(baselines, removeBaseline),
  'POST /plan/baseline/:id/restore': restore(baselines),
  'GET /plan/baseline/:id/history': history(baselines),
  'GET /plan/baseline/:id/compare': comparison,
}
