import {
  type Budget,
  balanceOn,
  budgets,
  budgetUnits,
  entryState,
  readableBudgets,
} from '../../../finance/budget/budget.ts'
import { managers } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { raw, sql } from '../../../kernel/sql.ts'
import { committedOn } from '../../../plan/load/load.ts'
import { Code } from '../../../records/code-table.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { sources } from '../../query/source.ts'
import { computedReport } from '../report.ts'
import { bodyWith, common, rowOf } from '../report-schema.ts'
import { decimal } from './money-sums.ts'

interface BudgetInput {
  at?: string
  budgetIds?: Id[]
  containerIds?: Id[]
}

/** A balance takes several statements. */
const maxBudgets = 200
const { containerIds = {} } = common
const day: Schema = { type: 'string', format: 'date', maxLength: 10 }
const t = raw('t')

/** What budgets hold, and what was used of them. */
export const budget = computedReport<BudgetInput>('budget', {
  about: `The balance of each budget in the period of a day (\`at\`, today by default): \`current\`, \`actual\`, \`committed\`, \`available\`, \`forecast\`, \`used\` (percent) and \`exhaustedOn\`, as \`GET …/budget/{id}/balance\` has them, in the unit of the budget. Budgets of costs are shown with \`cost.read\`, those of values with \`bill.read\`. At most ${maxBudgets} budgets. The records of a row are the approved entries of the budget.`,
  roles: managers,
  source: sources.BudgetEntry,
  body: bodyWith(
    { at: day, budgetIds: { ...containerIds, description: 'Only these budgets.' }, containerIds },
    { dated: false, example: { at: '2026-04-30' } },
  ),
  row: rowOf('budget', {
    budget: { type: 'string' },
    budgetLabel: { type: 'string' },
    unit: Code(budgetUnits),
    currency: { type: 'string' },
    from: { type: ['string', 'null'], format: 'date' },
    to: { type: ['string', 'null'], format: 'date' },
    current: decimal('What the budget holds.'),
    carried: decimal('The rest of earlier periods; a part of `current`.'),
    actual: decimal('What was used.'),
    committed: decimal('What is planned firmly.'),
    available: decimal('current − actual − committed'),
    forecast: decimal('What will be used.'),
    used: { type: ['string', 'null'], description: 'Percent of `current`.' },
    exhaustedOn: { type: ['string', 'null'], format: 'date' },
  }),
  async rows(ctx, input) {
    const found = await budgetsIn(ctx, input)
    const rows = []
    for (const each of found) {
      const { budgetId, ...balance } = await balanceOn(ctx, each, input.at, committedOn)
      rows.push({ key: each.id, text: JSON.stringify({ budget: budgetId, budgetLabel: each.name, ...balance }) })
    }
    return rows
  },
  async records(ctx, _input, key) {
    const shown = sql`exists (select 1 from budget b where b.tenant_id = ${ctx.caller.tenantId} and b.id = t.budget_id and ${readableBudgets(ctx.caller, raw('b'))})`
    return isId(key) ? sql`t.budget_id = ${key} and t.state = ${entryState.approved} and ${shown}` : raw('false')
  },
})

async function budgetsIn(ctx: Context, { budgetIds, containerIds: owners }: BudgetInput): Promise<Budget[]> {
  const rows = await ctx.sql<{ json: string }>`select ${budgets.json(t)} as json from budget t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${budgets.visible(ctx.caller, t)} and ${readableBudgets(ctx.caller, t)}
      and ${budgetIds ? sql`t.id::text = any(${budgetIds}::text[])` : raw('true')}
      and ${owners ? sql`t.owner = ${ownerKind.container} and t.owner_id = any(${owners}::text[])` : raw('true')}
    order by t.name, t.id limit ${maxBudgets + 1}`
  if (rows.length > maxBudgets)
    throw new RuleBroken('too-many-groups', `there are more than ${maxBudgets} budgets: name them, or their containers`)
  return rows.map(row => JSON.parse(row.json))
}
