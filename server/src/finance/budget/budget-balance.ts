import { demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw } from '../../kernel/sql.ts'
import { formatDecimal, quotient, unitsOf } from '../../language/decimal.ts'
import { readBill, readCost } from '../../records/amounts.ts'
import { Code } from '../../records/code-table.ts'
import { type RowSource, storedRows } from '../../records/row-source.ts'
import { tenantToday } from '../tenant-day.ts'
import { budgetEntries, entryState } from './budget-entry.ts'
import { firstCarried, forecastOf, type Grant, grantedBefore, grantedIn, usedPercent } from './budget-math.ts'
import { dayBefore, exhaustedOn, type Period, periodOn, workingDaysBefore } from './budget-period.ts'
import { type Budget, budgets, budgetUnit, placeOf, visibleBudgets } from './budget-record.ts'
import { budgetUnits, remainingMinutes, type Use, usedBetween } from './budget-use.ts'

/** What is planned firmly on the owner of a budget from a day on, in the unit of the budget. */
type Committed = (ctx: Context, budget: Budget, from: string, to: string | null, rows: RowSource) => Promise<bigint>

/** The use of a budget in the period of a day. */
interface PeriodUse extends Period {
  current: bigint
  carried: bigint
  actual: Use
}

const meanDays = 20

/** Computes what a budget holds in the period of a day, and what was used of it. */
export async function useOn(
  ctx: Context,
  budget: Budget,
  day: string,
  source: RowSource = storedRows,
): Promise<PeriodUse> {
  const rows = await ctx.sql<{ date: string; recurring: boolean; delta: string }>`
    select e.date::text as date, e.recurring, sum(e.delta)::text as delta from ${source(budgetEntries)} e
    where e.tenant_id = ${ctx.caller.tenantId} and e.budget_id = ${budget.id} and e.state = ${entryState.approved} and not e.deleted group by e.date, e.recurring`
  const grants: Grant[] = rows.map(each => ({ ...each, delta: unitsOf(each.delta) }))
  const { from, to } = periodOn(budget, day)
  const start = firstCarried(budget, grants)
  const carries = budget.rollover && from !== null && start !== null && start < from
  const before = carries ? await usedBetween(ctx, budget, start, dayBefore(from)) : undefined
  const carried = before ? grantedBefore(budget, grants, day) - before.amount : 0n
  return {
    from,
    to,
    carried,
    current: grantedIn(budget, grants, day) + carried,
    actual: await usedBetween(ctx, budget, from, to),
  }
}

interface Balance extends PeriodUse {
  committed: bigint
  available: bigint
  forecast: bigint
  exhaustedOn: string | null
}

async function balanceOf(
  ctx: Context,
  budget: Budget,
  day: string,
  committedOn: Committed,
  source: RowSource,
): Promise<Balance> {
  const use = await useOn(ctx, budget, day, source)
  const { current, actual, to } = use
  const committed = await committedOn(ctx, budget, day, to, source)
  const minutes = await remainingMinutes(ctx, budget, source)
  const recent = await usedBetween(ctx, budget, workingDaysBefore(day, meanDays), dayBefore(day))
  return {
    ...use,
    committed,
    available: current - actual.amount - committed,
    forecast: forecastOf(actual.amount, committed, remainingValue(budget, minutes, actual)),
    exhaustedOn: exhaustedOn(day, current - actual.amount, recent.amount, meanDays),
  }
}

/** Work that remains, in the unit of the budget: money at the mean rate of what was used. */
function remainingValue({ unit }: Budget, minutes: bigint, actual: Use): bigint {
  if (unit === budgetUnit.minutes) return quotient(minutes, 1n)
  return actual.seconds > 0n ? (actual.amount * minutes * 60n) / actual.seconds : 0n
}

/** The budgets below one, at any depth, that the caller sees. */
async function below(ctx: Context, id: Id): Promise<Budget[]> {
  const b = raw('b')
  const rows = await ctx.sql<{ json: string }>`with recursive below as (
      select k.id from budget k where k.tenant_id = ${ctx.caller.tenantId} and k.parent_id = ${id} and not k.deleted
      union select k.id from budget k join below on k.parent_id = below.id where k.tenant_id = ${ctx.caller.tenantId} and not k.deleted)
    select ${budgets.json(b)} as json from budget b join below on below.id = b.id
    where b.tenant_id = ${ctx.caller.tenantId} and ${visibleBudgets(ctx.caller, b)} order by b.id limit ${maxBelow}`
  return rows.map(row => JSON.parse(row.json))
}

const maxBelow = 200

/** The sums of a budget and of those below it that count the same; the others are named. */
async function rollUp(
  ctx: Context,
  budget: Budget,
  own: Balance,
  day: string,
  committedOn: Committed,
  source: RowSource,
): Promise<object> {
  const others = await below(ctx, budget.id)
  const same = others.filter(each => each.unit === budget.unit && each.currency === budget.currency)
  const all = [own]
  for (const each of same) all.push(await balanceOf(ctx, each, day, committedOn, source))
  const total = (of: (each: Balance) => bigint) => formatDecimal(all.reduce((sum, each) => sum + of(each), 0n))
  return {
    budgets: all.length,
    current: total(each => each.current),
    actual: total(each => each.actual.amount),
    committed: total(each => each.committed),
    available: total(each => each.available),
    forecast: total(each => each.forecast),
    notSummed: others
      .filter(each => !same.includes(each))
      .map(({ id, unit, currency }) => ({ budgetId: id, unit, currency })),
  }
}

/** The balance of a budget in the period of a day, today by default. */
export async function balanceOn(ctx: Context, budget: Budget, day: string | undefined, committed: Committed) {
  return shownBalance(budget, await balanceOf(ctx, budget, day ?? (await tenantToday(ctx)), committed, storedRows))
}

function shownBalance({ id, unit, currency }: Budget, own: Balance) {
  const used = usedPercent(own.actual.amount, own.current)
  return {
    budgetId: id,
    unit,
    currency,
    from: own.from,
    to: own.to,
    current: formatDecimal(own.current),
    actual: formatDecimal(own.actual.amount),
    committed: formatDecimal(own.committed),
    available: formatDecimal(own.available),
    forecast: formatDecimal(own.forecast),
    carried: formatDecimal(own.carried),
    used: used === null ? null : formatDecimal(used),
    exhaustedOn: own.exhaustedOn,
  }
}

const amount: Schema = { type: 'string', format: 'decimal' }
const sums = { current: amount, actual: amount, committed: amount, available: amount, forecast: amount }
const schema: Schema = {
  type: 'object',
  title: 'BudgetBalance',
  properties: {
    budgetId: { type: 'string' },
    unit: Code(budgetUnits),
    currency: { type: 'string' },
    from: { type: ['string', 'null'], format: 'date' },
    to: { type: ['string', 'null'], format: 'date' },
    ...sums,
    carried: { ...amount, description: 'The rest of earlier periods; a part of `current`.' },
    used: { type: ['string', 'null'], description: 'Percent of `current`; null if that is not positive.' },
    exhaustedOn: {
      type: ['string', 'null'],
      format: 'date',
      description: 'The working day (Monday to Friday) on which nothing is left at the pace of the last 20.',
    },
    rollup: {
      type: 'object',
      description: 'With the budgets below, as far as they have the same unit and currency.',
      properties: {
        budgets: { type: 'integer' },
        ...sums,
        notSummed: {
          type: 'array',
          items: {
            type: 'object',
            properties: { budgetId: { type: 'string' }, unit: Code(budgetUnits), currency: { type: 'string' } },
          },
        },
      },
      required: ['budgets', ...Object.keys(sums), 'notSummed'],
    },
  },
  required: [
    'budgetId',
    'unit',
    'currency',
    'from',
    'to',
    ...Object.keys(sums),
    'carried',
    'used',
    'exhaustedOn',
    'rollup',
  ],
}

interface Planning {
  committed: Committed
  scenarioQuery: Record<string, Schema>
  rowsFor(ctx: Context, scenario: unknown): Promise<RowSource>
}

/** What was used of a budget of costs or values tells what work costs, or what customers pay for it. */
function demandAmounts({ caller }: Context, budget: Budget): void {
  if (budget.unit === budgetUnit.cost) demand(caller, readCost, placeOf(budget))
  if (budget.unit === budgetUnit.value) demand(caller, readBill, placeOf(budget))
}

/** The balance of a budget. Allocations and scenarios are of a higher room, which says what they commit and change. */
export function balanceRoutes({ committed, scenarioQuery, rowsFor }: Planning): Routes {
  const balance = operation({
    permission: budgets.permissions.read,
    placed: true,
    mode: 'read',
    summary: 'Compare a budget with what was used',
    description:
      '`current` is the sum of the approved entries of the period, with the rest of the last one if `rollover`; `actual` the time booked on the owner and below, without drafts; `available` = current − actual − committed; `forecast` = actual + the larger of committed and the remaining work of open items. A budget of costs needs `cost.read`, one of values `bill.read`.',
    query: {
      at: { type: 'string', format: 'date', description: 'A day of the period; today by default.' },
      ...scenarioQuery,
    },
    reply: { status: 200, schema, description: 'The balance.' },
    refusals: [404, 422],
    async run(ctx, { params, query }) {
      const source = await rowsFor(ctx, query.scenario)
      const budget = await budgets.get(ctx, params.id ?? '')
      demandAmounts(ctx, budget)
      const day = typeof query.at === 'string' ? query.at : await tenantToday(ctx)
      const own = await balanceOf(ctx, budget, day, committed, source)
      return { body: { ...shownBalance(budget, own), rollup: await rollUp(ctx, budget, own, day, committed, source) } }
    },
  })
  return { 'GET /finance/budget/:id/balance': balance }
}
