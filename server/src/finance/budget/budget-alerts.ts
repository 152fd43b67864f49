import type { Listener, LoggedEvent, Task } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { formatDecimal } from '../../language/decimal.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { tenantToday } from '../tenant-day.ts'
import { useOn } from './budget-balance.ts'
import { reached, usedPercent } from './budget-math.ts'
import { budgets } from './budget-record.ts'

/** What can change the use of a budget: bookings, the place of items, and the budget itself. */
const entities = ['Time', 'Item', 'Budget', 'BudgetEntry']
/** The properties by which an item belongs to the owner of a budget. */
const places = ['containerId', 'areaId', 'crmId', 'cycleId', 'parentId']

/** Looks at the thresholds of the budgets that events concern; a tenant without any has no jobs. */
export const budgetListener: Listener = {
  name: 'budget',
  listens: async ctx =>
    (await remembered(ctx, 'budgets that alert', async () => {
      const [row] = await ctx.sql<{ some: boolean }>`select exists (select 1 from budget
        where tenant_id = ${ctx.caller.tenantId} and not deleted and alert_at <> '{}') as some`
      return row?.some ?? false
    })) === true,
  accepts: ({ entity, kind }) => entities.includes(entity) && kind !== crossed,
  async jobs(ctx, events) {
    const jobs = new Map<Id, LoggedEvent>()
    const moved = events.filter(each => each.entity !== 'Item' || places.some(property => each.changes[property]))
    for (const [id, event] of await budgetsOf(ctx, moved)) jobs.set(id, event)
    return [...jobs].map(([budgetId, event]) => ({
      event,
      task: budgetTask.name,
      lane: `budget ${budgetId}`,
      payload: { budgetId },
    }))
  },
}

/** The budgets with thresholds that these events can concern, each with the last of its events. */
async function budgetsOf(ctx: Context, events: readonly LoggedEvent[]): Promise<Map<Id, LoggedEvent>> {
  const found = new Map<Id, LoggedEvent>()
  const last = events.at(-1)
  if (!last) return found
  const { tenantId } = ctx.caller
  const idsOf = (entity: string) => events.filter(each => each.entity === entity).map(each => each.recordId)
  // Where an entry or an item was before is in the event alone.
  const values = events.flatMap(each => Object.values(each.changes).flatMap(({ from, to }) => [from, to]))
  const named = [...new Set(values.filter(isId).map(String))]
  const rows = await ctx.sql<{ id: Id }>`with recursive items as (
      select i.id, i.parent_id, i.container_id, i.area_id, i.cycle_id, i.crm_id from item i where i.tenant_id = ${tenantId} and
        i.id = any(array(select unnest(${[...idsOf('Item'), ...named]}::uuid[])
          union all select t.item_id from time t where t.tenant_id = ${tenantId} and t.id = any(${idsOf('Time')}::uuid[])))
      union select i.id, i.parent_id, i.container_id, i.area_id, i.cycle_id, i.crm_id from item i join items below on i.id = below.parent_id where i.tenant_id = ${tenantId}
    ), areas as (
      select a.id, a.parent_id from area a where a.tenant_id = ${tenantId} and (a.id in (select area_id from items) or a.id = any(${named}::uuid[]))
      union select a.id, a.parent_id from area a join areas below on a.id = below.parent_id where a.tenant_id = ${tenantId}
    ), centers as (
      select k.id, k.parent_id from cost_center k where k.tenant_id = ${tenantId} and (k.id = any(${named}::uuid[])
        or k.id in (select t.cost_center_id from time t where t.tenant_id = ${tenantId} and t.id = any(${idsOf('Time')}::uuid[]))
        or k.id in (select s.cost_center_id from time_share s where s.tenant_id = ${tenantId} and s.time_id = any(${idsOf('Time')}::uuid[])))
      union select k.id, k.parent_id from cost_center k join centers below on k.id = below.parent_id where k.tenant_id = ${tenantId}
    ), owners (owner, owner_id) as (
      select ${ownerKind.item}::int, id::text from items
      union select ${ownerKind.container}, container_id::text from items
      union select ${ownerKind.cycle}, cycle_id::text from items where cycle_id is not null
      union select ${ownerKind.crm}, crm_id::text from items where crm_id is not null
      union select ${ownerKind.crm}, k.crm_id::text from container k where k.tenant_id = ${tenantId} and k.crm_id is not null and k.id in (select container_id from items)
      union select ${ownerKind.area}, id::text from areas
      union select ${ownerKind.costCenter}, id::text from centers
      union select ${ownerKind.container}, t.container_id::text from time t where t.tenant_id = ${tenantId} and t.id = any(${idsOf('Time')}::uuid[])
      union select o.owner, n.id from unnest(${[ownerKind.container, ownerKind.cycle, ownerKind.crm]}::int[]) o(owner) cross join unnest(${named}::text[]) n(id)
    )
    select b.id from budget b where b.tenant_id = ${tenantId} and not b.deleted and b.alert_at <> '{}' and (
      b.id = any(${idsOf('Budget')}::uuid[])
      or b.id in (select e.budget_id from budget_entry e where e.tenant_id = ${tenantId} and e.id = any(${idsOf('BudgetEntry')}::uuid[]))
      or (b.owner, b.owner_id) in (select owner, owner_id from owners))`
  for (const { id } of rows) found.set(id, last)
  return found
}

const crossed = 'budget.thresholdCrossed'

/** Writes the events of the thresholds that a budget has newly reached, and forgets those that it is below again. */
async function alertBudget(ctx: Context, id: Id): Promise<void> {
  const budget = await budgets.find(ctx, id, { lock: true })
  if (!budget) return
  const { tenantId } = ctx.caller
  const { current, actual, from } = await useOn(ctx, budget, await tenantToday(ctx))
  const now = reached(budget.alertAt, actual.amount, current)
  // Without a first day the period is the only one.
  const periodFrom = from ?? '0001-01-01'
  await ctx.sql`delete from budget_alert where tenant_id = ${tenantId} and budget_id = ${id} and period_from = ${periodFrom}::date and threshold <> all(${now}::int[])`
  const rows = await ctx.sql<{
    threshold: number
  }>`insert into budget_alert (tenant_id, budget_id, period_from, threshold)
    select ${tenantId}::uuid, ${id}::uuid, ${periodFrom}::date, t from unnest(${now}::int[]) t on conflict do nothing returning threshold`
  const used = usedPercent(actual.amount, current) ?? 0n
  await appendEvents(
    ctx,
    rows
      .map(row => row.threshold)
      .sort((a, b) => a - b)
      .map(threshold => ({
        kind: crossed,
        entity: budgets.entity,
        recordId: id,
        changes: {
          threshold: { to: threshold },
          used: { to: formatDecimal(used) },
          periodFrom: { to: from },
        },
      })),
  )
}

export const budgetTask: Task = {
  name: 'budget',
  retryDelays: [1000, 5000, 60_000, 600_000],
  run: ({ payload, service, transaction }) => transaction(service, ctx => alertBudget(ctx, String(payload.budgetId))),
}
