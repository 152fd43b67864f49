import type { Id } from '../../kernel/id.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'

/** The labels of an item (`t`), by their names and aliases or by their ids. */
export function labelPath(tenantId: Id): Path {
  return {
    kind: 'set',
    of: 'text',
    elements: sql`select unnest(array[l.name, l.id::text]) from unnest(t.labels) u(id) join label l on l.tenant_id = ${tenantId} and l.id = u.id and not l.deleted`,
    // A deleted label is removed from all items.
    isEmpty: raw('(cardinality(t.labels) = 0)'),
    anyOf: words =>
      carrying(
        tenantId,
        sql`select n.label_id from label_name n where n.tenant_id = ${tenantId} and n.key = any(${words})
      union all select case when w ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then w::uuid end from unnest(${words}) w`,
      ),
  }
}

/** The items (`t`) with one of these labels. The table `item_label` is used, because under row level security no index finds elements of an array. */
function carrying(tenantId: Id, labelIds: Sql): Sql {
  // An array instead of a join: for a join the planner estimates the number of items, and may read all of them.
  return sql`t.id = any(array(select u.item_id from item_label u where u.tenant_id = ${tenantId} and u.label_id = any(array(${labelIds}))))`
}
