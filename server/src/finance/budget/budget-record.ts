import { Type } from 'typebox'
import { type Caller, managers, mayAt, type Permission } from '../../kernel/access.ts'
import type { Place, PlaceColumns } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import type { Finding, Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, LocalDate, Ref, Text } from '../../kernel/schema/values.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Currency } from '../../language/money.ts'
import { readableIn, readBill, readCost } from '../../records/amounts.ts'
import { Code } from '../../records/code-table.ts'
import { type Owned, ownerKind, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { visibleOwner } from '../../records/references/visible-owner.ts'
import { ancestorsOf } from '../../records/tree.ts'
import { budgetPeriod, budgetPeriods } from './budget-period.ts'
import { budgetUnit, budgetUnits, measuredOwners } from './budget-use.ts'

export { budgetUnit } from './budget-use.ts'

/** A budget that alerts at 0 % would alert before anything was used. */
export const AlertAt = Type.Array(Count(1000, 1), {
  maxItems: 10,
  description:
    'Percentages of use, such as 80 and 100, at which the event `budget.thresholdCrossed` is written, once in a period.',
})

const shape = {
  name: Text(200),
  owner: Code(owners, {
    default: ownerKind.container,
    description: '1 container · 2 area · 3 item · 6 customer · 9 cycle · 18 cost centre',
  }),
  ownerId: Text(100),
  parentId: Ref('Budget'),
  unit: Code(budgetUnits, { description: '0 minutes · 1 cost · 2 value at the billing rates' }),
  currency: Currency,
  period: Code(budgetPeriods, { description: '0 once · 1 weekly · 2 monthly · 3 quarterly · 4 yearly' }),
  rollover: Type.Boolean({ description: 'Whether the rest of a period, also a negative one, belongs to the next.' }),
  from: LocalDate,
  to: LocalDate,
  alertAt: AlertAt,
}

export type Budget = Stored<typeof shape>
type BudgetValues = Values<typeof shape>

/** An amount of time or money for the work on a record, as the sum of a ledger. */
export const budgets = resource('Budget', {
  about:
    'An amount of time or money for the work on a container, area, item, customer, cycle or cost centre. What it holds is the sum of its entries (`…/entry`), and `…/balance` compares it with the time that was booked.',
  shape,
  required: ['ownerId'],
  may: { read: managers, create: managers, update: managers, delete: managers },
  place: placeOf,
  visible: visibleBudgets,
  check: checkBudget,
  findings: inertParts,
  remembered: true,
  example: { owner: ownerKind.container, ownerId: '01890000-0000-7000-8000-000000000000', unit: 0, alertAt: [80, 100] },
})

export function placeOf({ owner, ownerId }: Owned): Place {
  return { containerId: owner === ownerKind.container ? ownerId : null }
}

/** The owners that can be hidden from a manager. */
const hiding = ['Container', 'Area', 'Item', 'Cycle'] as const

/** Who manages the tenant sees all budgets of what they see; who manages one container sees its own. */
export function visibleBudgets(caller: Caller, b: Sql): Sql {
  if (caller.authority.unrestricted) return raw('true')
  const none = raw('null::uuid')
  const at: PlaceColumns = { container: containerOf(b), area: none, item: none }
  return and([mayAt(caller, budgets.permissions.read, b, at), visibleOwner(caller, b, hiding)])
}

const containerOf = (b: Sql) => sql`(case when ${b}.owner = ${ownerKind.container} then ${b}.owner_id::uuid end)`

/** The budgets whose amounts the caller may read: those in money tell what work costs, or what customers pay for it. */
export function readableBudgets(caller: Caller, b: Sql): Sql {
  const shown = (unit: number, wanted: Permission) =>
    sql`(${b}.unit <> ${unit} or ${readableIn(caller, wanted, containerOf(b))})`
  return and([shown(budgetUnit.cost, readCost), shown(budgetUnit.value, readBill)])
}

function inertParts({ owner, unit, period }: Budget): Finding[] {
  const unknown = (path: string, message: string) => [{ path, code: 'unknown-code', message }]
  return [
    ...(measuredOwners.includes(owner)
      ? []
      : unknown('/owner', 'no time is booked on such an owner, so nothing is used')),
    ...(Object.values(budgetUnit).some(each => each === unit) ? [] : unknown('/unit', 'is not a known unit')),
    ...(Object.values(budgetPeriod).some(each => each === period) ? [] : unknown('/period', 'is not a known period')),
  ]
}

async function checkBudget(ctx: Context, budget: BudgetValues, before: Budget | undefined): Promise<void> {
  if (budget.from && budget.to && budget.to < budget.from)
    throw new Invalid([fault(['to'], 'range', 'must not be before from', budget.to)])
  await refuseUnknownOwner(ctx, budget, before)
  await refuseCurrency(ctx, budget)
  if (budget.parentId && budget.parentId !== before?.parentId)
    await ancestorsOf(ctx, budgets, budget.parentId.toLowerCase(), before?.id)
}

/** Money needs a currency, and costs are in that of the tenant. */
async function refuseCurrency(ctx: Context, { unit, currency }: BudgetValues): Promise<void> {
  const refuse = (code: string, message: string) => {
    throw new RuleBroken(code, message, [fault(['currency'], code, message, currency)])
  }
  if (unit === budgetUnit.value && currency === '') refuse('currency-required', 'a budget in money needs a currency')
  if (unit !== budgetUnit.cost || currency === '') return
  const [tenant] = await ctx.sql<{
    currency: string
  }>`select currency from tenant where tenant_id = ${ctx.caller.tenantId}`
  if (tenant?.currency !== currency) refuse('cost-currency', 'costs are in the currency of the tenant')
}
