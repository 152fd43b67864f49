import type { Id } from '../kernel/id.ts'
import { ownTenant, type Sql, sql } from '../kernel/sql.ts'

/** The numbers of items that are not deleted, in rows with the columns of items: as far as they are summed (`item_count`), and what has changed since. */
export const itemNumbers: Sql = sql`(select c.tenant_id, c.container_id, c.status_category, c.status, c.priority, c.visibility, c.archived, false as deleted, c.items
    from item_count c where c.tenant_id = ${ownTenant}
  union all select f.tenant_id, f.home_id, f.category, f.status, f.priority, f.visibility, f.archived, false, f.items
    from flow_step f where f.tenant_id = ${ownTenant} and f.status is not null)`

/** The properties by which they are kept, in lower case. */
export const numberedBy: readonly string[] = [
  'containerid',
  'statuscategory',
  'status',
  'priority',
  'visibility',
  'archived',
]

/** The restricted and confidential items that have one of the users or groups as author, requester, assignee or group. */
export function admittedItems(principals: readonly Id[]): Sql {
  return sql`select a.item_id from item_admitted a where a.tenant_id = ${ownTenant} and a.principal_id = any(${principals}::uuid[])`
}
