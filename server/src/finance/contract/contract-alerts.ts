import type { Listener, LoggedEvent, Task } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents, type NewEvent } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { tenantToday } from '../tenant-day.ts'
import { accountsOf } from './contract-accounts.ts'
import { lowThresholds } from './contract-balance.ts'
import { contracts } from './contract-record.ts'

const low = 'contract.low'
const entities = ['Time', 'Item', 'Container', 'Contract']

/** Looks at the contracts of the customers whose work has changed; a tenant without contracts has no jobs. */
export const contractListener: Listener = {
  name: 'contract',
  listens: async ctx =>
    (await remembered(ctx, 'contracts that can be low', async () => {
      const [row] = await ctx.sql<{ some: boolean }>`select exists (select 1 from contract
        where tenant_id = ${ctx.caller.tenantId} and not deleted and included_minutes > 0) as some`
      return row?.some ?? false
    })) === true,
  accepts: ({ entity, kind }) => entities.includes(entity) && kind !== low,
  async jobs(ctx, events) {
    const last = events.at(-1)
    if (!last) return []
    return (await customersOf(ctx, events)).map(crmId => ({
      event: last,
      task: contractTask.name,
      lane: `contract ${crmId}`,
      payload: { crmId },
    }))
  },
}

/** The customers with contracts whose work these events can concern. */
async function customersOf(ctx: Context, events: readonly LoggedEvent[]): Promise<Id[]> {
  const { tenantId } = ctx.caller
  const idsOf = (entity: string) => events.filter(each => each.entity === entity).map(each => each.recordId)
  const moved = events.filter(({ entity, changes }) => entity !== 'Item' || changes.crmId || changes.containerId)
  // Where an entry or an item was before is in the event alone.
  const values = moved.flatMap(each => Object.values(each.changes).flatMap(({ from, to }) => [from, to]))
  const named = [...new Set(values.filter(isId).map(String))]
  const rows = await ctx.sql<{
    id: Id
  }>`select distinct k.crm_id as id from contract k where k.tenant_id = ${tenantId} and not k.deleted and (
      k.id = any(${idsOf('Contract')}::uuid[]) or k.crm_id = any(${named}::uuid[]) or k.crm_id in (
        select coalesce(i.crm_id, c.crm_id) from item i left join container c on c.tenant_id = ${ownTenant} and c.id = i.container_id
        where i.tenant_id = ${tenantId} and i.id = any(array(select unnest(${named}::uuid[])
          union all select t.item_id from time t where t.tenant_id = ${tenantId} and t.id = any(${idsOf('Time')}::uuid[])))
        union all select c.crm_id from container c where c.tenant_id = ${tenantId} and c.id = any(${[...named, ...idsOf('Container')]}::uuid[])))`
  return rows.map(row => row.id)
}

/** Writes the events of the contracts of a customer that are newly low in the current period. */
async function alertContracts(ctx: Context, crmId: Id): Promise<void> {
  const { tenantId } = ctx.caller
  const events: NewEvent[] = []
  const { all, accounts } = await accountsOf(ctx, crmId, await tenantToday(ctx))
  for (const { id } of all) {
    const account = accounts.get(id)
    if (!account) continue
    const rows = await ctx.sql<{
      threshold: number
    }>`insert into contract_alert (tenant_id, contract_id, period_from, threshold)
      select ${tenantId}::uuid, ${id}::uuid, ${account.from}::date, t from unnest(${lowThresholds(account)}::int[]) t on conflict do nothing returning threshold`
    for (const { threshold } of rows.toSorted((a, b) => a.threshold - b.threshold))
      events.push({
        kind: low,
        entity: contracts.entity,
        recordId: id,
        changes: { threshold: { to: threshold }, periodFrom: { to: account.from } },
      })
  }
  await appendEvents(ctx, events)
}

export const contractTask: Task = {
  name: 'contract',
  retryDelays: [1000, 5000, 60_000, 600_000],
  run: ({ payload, service, transaction }) => transaction(service, ctx => alertContracts(ctx, String(payload.crmId))),
}
