import { isDeepStrictEqual } from 'node:util'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { formatDecimal, unitsOf } from '../../language/decimal.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { budgetReasonKind } from '../budget-reason.ts'
import { appendEntry, entryState } from './budget-entry.ts'
import { type Budget, budgets, budgetUnit } from './budget-record.ts'

/** The budget in the form of a container: one amount of time and one of money. */
export interface ContainerBudget {
  minutes?: number
  amount?: number
  currency?: string
  resetPeriod?: number
  alertAt?: number[]
}

/** Appends what a new form of a container's budget changes to the ledgers of the container, which are made if they are missing. */
export async function keepContainerBudget(
  own: Context,
  containerId: Id,
  now: ContainerBudget,
  before: ContainerBudget = {},
): Promise<void> {
  if (isDeepStrictEqual(now, before)) return
  // Whoever may change the container changes its budget.
  const ctx = withSystemAuthority(own)
  const { currency = '', resetPeriod = 0, alertAt = [] } = now
  const common = { period: resetPeriod, alertAt }
  await keep(ctx, containerId, { ...common, unit: budgetUnit.minutes, currency: '' }, now.minutes ?? 0)
  // An amount without a currency cannot be compared with anything.
  if (currency || before.currency)
    await keep(
      ctx,
      containerId,
      { ...common, unit: budgetUnit.value, currency: currency || (before.currency ?? '') },
      now.amount ?? 0,
    )
}

type Terms = Pick<Budget, 'unit' | 'currency' | 'period' | 'alertAt'>

async function keep(ctx: Context, containerId: Id, terms: Terms, wanted: number): Promise<void> {
  const { tenantId } = ctx.caller
  const [known] = await ctx.sql<{ id: Id; total: string; entries: number }>`
    select b.id, coalesce(sum(e.delta), 0)::text as total, count(e.id)::int as entries from budget b
    left join budget_entry e on e.tenant_id = ${tenantId} and e.budget_id = b.id and e.state = ${entryState.approved} and not e.deleted
    where b.tenant_id = ${tenantId} and b.owner = ${ownerKind.container} and b.owner_id = ${containerId}
      and b.unit = ${terms.unit} and b.currency = ${terms.currency} and not b.deleted
    group by b.id order by b.id limit 1`
  if (!known && wanted === 0) return
  if (known) await budgets.update(ctx, known.id, terms)
  const owned = { owner: ownerKind.container, ownerId: containerId }
  const { id } = known ?? (await budgets.create(ctx, { ...terms, ...owned }))
  const difference = unitsOf(wanted.toFixed(4)) - unitsOf(known?.total ?? '0')
  if (difference === 0n) return
  const kind = known && known.entries > 0 ? budgetReasonKind.correction : budgetReasonKind.initial
  const [reason] = await ctx.sql<{ id: Id }>`select id from budget_reason
    where tenant_id = ${tenantId} and kind = ${kind} and active and not deleted order by id limit 1`
  const entry = { delta: formatDecimal(difference), reasonId: reason?.id ?? '', recurring: terms.period !== 0 }
  await appendEntry(ctx, id, entry, false)
}
