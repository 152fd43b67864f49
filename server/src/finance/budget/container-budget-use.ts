import { maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { tenantToday } from '../tenant-day.ts'
import { useOn } from './budget-balance.ts'
import { type Budget, budgets } from './budget-record.ts'

/** What a budget of a container holds in its present period, and what was used of it. */
export interface ContainerBudgetUse {
  budgetId: Id
  containerId: Id
  name: string
  unit: number
  currency: string
  current: bigint
  actual: bigint
}

/** Each budget is computed by statements of its own. */
const maxBudgets = 200

/** The present use of the budgets of containers, as far as the caller sees them. */
export async function containerBudgetUses(ctx: Context, containerIds: readonly Id[]): Promise<ContainerBudgetUse[]> {
  if (!maySomewhere(ctx.caller, budgets.permissions.read)) return []
  const t = raw('t')
  const rows = await ctx.sql<{ json: string }>`select ${budgets.json(t)} as json from budget t
    where t.tenant_id = ${ctx.caller.tenantId} and t.owner = ${ownerKind.container} and t.owner_id = any(${containerIds}::text[])
      and not t.deleted and ${budgets.visible(ctx.caller, t)} order by t.id limit ${maxBudgets + 1}`
  if (rows.length > maxBudgets)
    throw new RuleBroken('too-large', `more than ${maxBudgets} budgets; ask for fewer containers`)
  const day = await tenantToday(ctx)
  const uses: ContainerBudgetUse[] = []
  for (const { json } of rows) {
    const budget: Budget = JSON.parse(json)
    const { current, actual } = await useOn(ctx, budget, day)
    const { id: budgetId, ownerId: containerId, name, unit, currency } = budget
    uses.push({ budgetId, containerId, name, unit, currency, current, actual: actual.amount })
  }
  return uses
}
