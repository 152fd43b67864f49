import { managers, may, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { isDate } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { formatDecimal, unitsOf } from '../../language/decimal.ts'
import { readBill, readCost } from '../../records/amounts.ts'
import { tenantToday } from '../tenant-day.ts'
import { chargedTo, costCentersBelow, type OpenPeriod } from './charged-time.ts'
import { costCenters } from './cost-center.ts'

/** A cost centre in the tree. */
interface TreeNode {
  id: Id
  parentId: Id | null
  code: string
  name: string
}

interface Sums {
  seconds: number
  cost: bigint
  /** By currency, which are never added. */
  value: Map<string, bigint>
}

const noSums = (): Sums => ({ seconds: 0, cost: 0n, value: new Map() })

function add(sums: Sums, { seconds, cost, value }: Sums): void {
  sums.seconds += seconds
  sums.cost += cost
  for (const [currency, amount] of value) sums.value.set(currency, (sums.value.get(currency) ?? 0n) + amount)
}

/** The time of a cost centre and of all below it, each with its own time. */
async function ownSums(ctx: Context, id: Id, period: OpenPeriod): Promise<Map<Id, Sums>> {
  const rows = await ctx.sql<{ id: Id; currency: string; seconds: number; cost: string; value: string | null }>`
    select t.id, t.currency, sum(t.seconds)::float8 as seconds, coalesce(sum(t.cost_amount), 0)::text as cost, sum(t.bill_amount)::text as value
    from (${chargedTo(costCentersBelow(id), period)}) t group by t.id, t.currency`
  const found = new Map<Id, Sums>()
  for (const { id: node, currency, seconds, cost, value } of rows) {
    const sums = found.get(node) ?? noSums()
    add(sums, { seconds, cost: unitsOf(cost), value: new Map(value === null ? [] : [[currency, unitsOf(value)]]) })
    found.set(node, sums)
  }
  return found
}

/** The cost centre first, then those below it, each after the one above it. */
async function treeOf(ctx: Context, id: Id): Promise<TreeNode[]> {
  return await ctx.sql<TreeNode & Record<string, unknown>>`with recursive below as (
      select k.id, k.parent_id, k.code, k.name, 0 as level from cost_center k where k.tenant_id = ${ctx.caller.tenantId} and k.id = ${id}
      union all select k.id, k.parent_id, k.code, k.name, below.level + 1 from cost_center k join below on k.parent_id = below.id
        where k.tenant_id = ${ctx.caller.tenantId} and not k.deleted)
    select id, parent_id as "parentId", code, name from below order by level, code, name, id`
}

/** Each cost centre with the sums of itself and all below it. */
function summedUp(tree: readonly TreeNode[], own: ReadonlyMap<Id, Sums>): Map<Id, Sums> {
  const total = new Map(tree.map(({ id }) => [id, noSums()]))
  for (const { id, parentId } of [...tree].reverse()) {
    const sums = total.get(id) ?? noSums()
    add(sums, own.get(id) ?? noSums())
    const above = parentId === null ? undefined : total.get(parentId)
    if (above) add(above, sums)
  }
  return total
}

/** Money as far as the caller may read it. */
function shown({ caller }: Context, { seconds, cost, value }: Sums): object {
  return {
    seconds,
    ...(may(caller, readCost) ? { cost: formatDecimal(cost) } : {}),
    ...(may(caller, readBill)
      ? { value: [...value].sort().map(([currency, amount]) => ({ currency, amount: formatDecimal(amount) })) }
      : {}),
  }
}

const day: Schema = { type: 'string', format: 'date' }
const sums: Record<string, Schema> = {
  seconds: { type: 'integer' },
  cost: { type: 'string', format: 'decimal', description: 'In the currency of the tenant. With `cost.read`.' },
  value: {
    type: 'array',
    description: 'What customers pay for the time, by currency. With `bill.read`.',
    items: {
      type: 'object',
      properties: { currency: { type: 'string' }, amount: { type: 'string', format: 'decimal' } },
      required: ['currency', 'amount'],
    },
  },
}
const schema: Schema = {
  type: 'object',
  title: 'CostCenterSummary',
  properties: {
    from: day,
    to: day,
    ...sums,
    own: { type: 'object', properties: sums, required: ['seconds'], description: 'Without those below.' },
    below: {
      type: 'array',
      description: 'The cost centres below, at any depth, each with the sums of itself and all below it.',
      items: {
        type: 'object',
        properties: {
          costCenterId: { type: 'string' },
          parentId: { type: 'string' },
          code: { type: 'string' },
          name: { type: 'string' },
          ...sums,
        },
        required: ['costCenterId', 'parentId', 'code', 'name', 'seconds'],
      },
    },
  },
  required: ['from', 'to', 'seconds', 'own', 'below'],
}

const summary = operation({
  permission: permission('costCenter.summary', managers),
  mode: 'read',
  summary: 'Sum up a cost centre',
  description:
    'The time of the cost centre and of all below it, without drafts; an entry with several cost centres counts in each by its share. Money by right.',
  query: {
    from: { ...day, description: 'The first day; the first of this month by default.' },
    to: { ...day, description: 'The last day; today by default.' },
  },
  reply: { status: 200, schema, description: 'The sums.' },
  refusals: [404],
  async run(ctx, { params, query }) {
    const { id } = await costCenters.get(ctx, params.id ?? '')
    const today = await tenantToday(ctx)
    const to = String(query.to ?? today)
    const from = String(query.from ?? `${to.slice(0, 8)}01`)
    const wrong = Object.entries({ from, to }).filter(([, text]) => !isDate(text))
    if (wrong.length > 0)
      throw new Invalid(
        wrong.map(([name, text]) => fault([name], 'date', 'must be a day: 2026-03-31', text)),
        'the query is not valid',
      )
    if (to < from) throw new Invalid([fault(['to'], 'range', 'must not be before from', to)], 'the query is not valid')
    const [tree, own] = [await treeOf(ctx, id), await ownSums(ctx, id, { from, to })]
    const total = summedUp(tree, own)
    const sumsOf = (node: Id) => shown(ctx, total.get(node) ?? noSums())
    const below = tree.slice(1).map(({ id: costCenterId, parentId, code, name }) => ({
      costCenterId,
      parentId,
      code,
      name,
      ...sumsOf(costCenterId),
    }))
    return { body: { from, to, ...sumsOf(id), own: shown(ctx, own.get(id) ?? noSums()), below } }
  },
})

export const routes: Routes = { 'GET /finance/cost-center/:id/summary': summary }
