import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'

/** The level of a muted watch. The room of watches, which has all levels, is a higher one. */
const muted = raw('3')

const watches = sql`watch w where w.tenant_id = ${ownTenant} and w.owner = ${ownerKind.item} and not w.deleted`

/** The users who are notified of changes of an item (`t`): those with a watch, and assignees, author and requester without a watch of their own. */
export const watchers: Path = {
  kind: 'set',
  of: 'user',
  elements: sql`select w.user_id from ${watches} and w.owner_id = t.id::text and w.user_id is not null and w.level <> ${muted}
    union select u from unnest(t.assignees || t.created_by || t.requester_id) u where u is not null and not exists (
      select 1 from ${watches} and w.owner_id = t.id::text and w.user_id = u)`,
  anyOf: users => sql`t.id in (${watchedBy(users)})`,
}

/** The ids of the items that one of the users watches, each way of watching by its index. */
function watchedBy(users: Sql): Sql {
  const withoutOwnWatch = (user: Sql, itemId: Sql) =>
    sql`${user} = any(${users}) and not exists (
      select 1 from ${watches} and w.user_id = any(${users}) and w.user_id = ${user} and w.owner_id = ${itemId}::text)`
  return sql`select w.owner_id::uuid from ${watches} and w.user_id = any(${users}) and w.level <> ${muted}
    union all select i.id from item i where i.tenant_id = ${ownTenant} and ${withoutOwnWatch(raw('i.created_by'), raw('i.id'))}
    union all select i.id from item i where i.tenant_id = ${ownTenant} and ${withoutOwnWatch(raw('i.requester_id'), raw('i.id'))}
    union all select a.item_id from item_assignee a where a.tenant_id = ${ownTenant} and ${withoutOwnWatch(raw('a.user_id'), raw('a.item_id'))}`
}
