import { containers } from '../../containers/container/container.ts'
import { type BudgetAmount, budgetsAt } from '../../finance/budget/budget.ts'
import { tenantToday } from '../../finance/tenant-day.ts'
import { items } from '../../items/item/item.ts'
import { inContainersAt } from '../../items/past/past.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { rowsAt } from '../../records/history/past.ts'

/** The most items of all containers of a baseline together. */
const maxItems = 20_000

export interface PlannedItem {
  id: Id
  containerId: Id
  startDate: string | null
  dueDate: string | null
  estimateMinutes: number
  remainingMinutes: number
  statusCategory: number
}

export interface PlannedContainer {
  id: Id
  startDate: string | null
  dueDate: string | null
}

/** What is planned for containers at a moment. It contains what some readers may not see. */
export interface Snapshot {
  containers: PlannedContainer[]
  items: PlannedItem[]
  budgets: BudgetAmount[]
}

/** Reads what was planned at a moment, or is planned now. */
export async function takeSnapshot(ctx: Context, containerIds: readonly Id[], at: Date | undefined): Promise<Snapshot> {
  const found = await ctx.sql<PlannedItem>`select * from (${itemsAt(ctx, containerIds, at)}) x limit ${maxItems + 1}`
  refuseTooMany(found.length)
  return {
    containers: await ctx.sql<PlannedContainer>`${containersAt(ctx, containerIds, at)}`,
    items: found,
    budgets: await budgetsAt(ctx, containerIds, await dayOf(ctx, at), at),
  }
}

/** Stores what was planned at a moment, or is planned now, as a baseline. */
export async function storeSnapshot(
  ctx: Context,
  baselineId: Id,
  containerIds: readonly Id[],
  at: Date | undefined,
): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`insert into baseline_container (tenant_id, baseline_id, container_id, start_date, due_date)
    select ${tenantId}, ${baselineId}, x.id, x."startDate", x."dueDate" from (${containersAt(ctx, containerIds, at)}) x returning 1`
  const stored = await ctx.sql`
    insert into baseline_item (tenant_id, baseline_id, item_id, container_id, start_date, due_date, estimate_minutes, remaining_minutes, status_category)
    select ${tenantId}, ${baselineId}, x.id, x."containerId", x."startDate", x."dueDate", x."estimateMinutes", x."remainingMinutes", x."statusCategory"
    from (${itemsAt(ctx, containerIds, at)}) x limit ${maxItems + 1} returning 1`
  refuseTooMany(stored.length)
  const amounts = await budgetsAt(ctx, containerIds, await dayOf(ctx, at), at)
  await ctx.sql`insert into baseline_budget (tenant_id, baseline_id, budget_id, container_id, amount)
    select ${tenantId}, ${baselineId}, b."budgetId", b."containerId", b.amount
    from jsonb_to_recordset(${JSON.stringify(amounts)}::jsonb) as b("budgetId" uuid, "containerId" uuid, amount numeric) returning 1`
}

/** Reads what a baseline has stored. */
export async function readSnapshot(ctx: Context, baselineId: Id): Promise<Snapshot> {
  const { tenantId } = ctx.caller
  return {
    containers:
      await ctx.sql<PlannedContainer>`select container_id as id, start_date as "startDate", due_date as "dueDate"
      from baseline_container where tenant_id = ${tenantId} and baseline_id = ${baselineId}`,
    items:
      await ctx.sql<PlannedItem>`select item_id as id, container_id as "containerId", start_date as "startDate", due_date as "dueDate",
        estimate_minutes as "estimateMinutes", remaining_minutes as "remainingMinutes", status_category as "statusCategory"
      from baseline_item where tenant_id = ${tenantId} and baseline_id = ${baselineId}`,
    budgets:
      await ctx.sql<BudgetAmount>`select budget_id as "budgetId", container_id as "containerId", amount::text as amount
      from baseline_budget where tenant_id = ${tenantId} and baseline_id = ${baselineId}`,
  }
}

function refuseTooMany(count: number): void {
  if (count > maxItems) throw new RuleBroken('too-large', `more than ${maxItems} items; take fewer containers`)
}

/** Items that have left the containers since are read, too; their stays tell which. */
function itemsAt({ caller: { tenantId } }: Context, containerIds: readonly Id[], at: Date | undefined): Sql {
  const rows = rowsAt(items, at, inContainersAt(raw('p'), containerIds, at))
  return sql`select t.id, t.container_id as "containerId", t.start_date as "startDate", t.due_date as "dueDate",
      t.estimate_minutes as "estimateMinutes", t.remaining_minutes as "remainingMinutes", t.status_category as "statusCategory"
    from ${rows} t where t.tenant_id = ${tenantId} and t.container_id = any(${containerIds}::uuid[]) and not t.deleted`
}

function containersAt({ caller: { tenantId } }: Context, containerIds: readonly Id[], at: Date | undefined): Sql {
  const rows = rowsAt(containers, at, sql`p.id = any(${containerIds}::uuid[])`)
  return sql`select t.id, t.start_date as "startDate", t.due_date as "dueDate" from ${rows} t
    where t.tenant_id = ${tenantId} and not t.deleted`
}

async function dayOf(ctx: Context, at: Date | undefined): Promise<string> {
  return await tenantToday(at ? ctx.derive({ now: at }) : ctx)
}
