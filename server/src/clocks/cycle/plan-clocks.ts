import { skuKind } from '../../finance/sku.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import type { ItemSnapshot } from './item-snapshot.ts'

/** A contract for a support plan with a clock, and the moments between which both are in force. */
interface Promised {
  crmId: Id
  containerIds: readonly Id[]
  clockId: Id
  from: number
  until: number | null
}

/**
 * Returns the clock that the support plan of its customer promised when an item was created, by the contract with the lowest order:
 * what was reported in time is answered as promised, even after the contract.
 */
export async function planClocks(
  ctx: Context,
  snapshots: readonly ItemSnapshot[],
): Promise<(snapshot: ItemSnapshot) => Id | undefined> {
  const customers = [...new Set(snapshots.map(customerOf))].filter(id => id !== '')
  const promised = customers.length === 0 ? [] : await promisesTo(ctx, customers)
  return snapshot => {
    const created = Date.parse(String(snapshot.item.created))
    const crmId = customerOf(snapshot)
    const containerId = String(snapshot.item.container_id)
    return promised.find(
      each =>
        each.crmId === crmId &&
        (each.containerIds.length === 0 || each.containerIds.includes(containerId)) &&
        created >= each.from &&
        created < (each.until ?? Number.POSITIVE_INFINITY),
    )?.clockId
  }
}

/** The customer of the item, or that of its container. */
const customerOf = ({ item, containerCrmId }: ItemSnapshot): Id | '' => String(item.crm_id ?? containerCrmId)

async function promisesTo(ctx: Context, customers: readonly Id[]): Promise<Promised[]> {
  const { tenantId } = ctx.caller
  return await ctx.sql<Promised>`with days as (
      select k.id, k."order", k.crm_id, k.container_ids, s.clock_id, greatest(k."from", s.valid_from) as first, least(k."to", s.valid_to) as last
      from contract k join sku s on s.tenant_id = ${ownTenant} and s.id = k.sku_id
      where k.tenant_id = ${tenantId} and k.crm_id = any(${customers}::uuid[]) and not k.deleted
        and not s.deleted and s.active and s.kind = ${skuKind.supportPlan} and s.clock_id is not null),
    zone as (select coalesce(nullif(timezone, ''), 'UTC') as name from tenant where tenant_id = ${tenantId})
    select d.crm_id as "crmId", d.container_ids as "containerIds", d.clock_id as "clockId",
      (extract(epoch from d.first::timestamp at time zone z.name) * 1000)::float8 as "from",
      (extract(epoch from (d.last + 1)::timestamp at time zone z.name) * 1000)::float8 as until
    from days d cross join zone z order by d."order", d.first, d.id`
}
