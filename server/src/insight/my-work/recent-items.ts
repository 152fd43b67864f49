import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'

/** The changes of the caller that are looked at: a change of many items is one line of the list at most for each of them. */
const maxEvents = 500

/**
 * The items that the caller changed or wrote on, the latest first, from the end of the log. Items that they only created do not
 * count: an import would be the whole list.
 */
export async function recentItems(ctx: Context): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`
    select coalesce(a.item_id, l.record_id) as id from (
      select e.record_id, e.entity, e.at from event e
      where e.tenant_id = ${ctx.caller.tenantId} and e.actor_id = ${ctx.caller.userId}
        and e.entity in ('Item', 'Annotation') and e.kind <> 'item.created' and e.actor_kind in ('user', 'apiKey')
      order by e.at desc, e.id limit ${maxEvents}) l
    left join annotation a on a.tenant_id = ${ownTenant} and l.entity = 'Annotation' and a.id = l.record_id
    group by 1 order by max(l.at) desc, 1`
  return rows.map(row => row.id)
}
