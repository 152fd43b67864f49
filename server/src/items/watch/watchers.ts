import type { Caller } from '../../kernel/access.ts'
import { type Standing, standingsOf } from '../../kernel/auth/authority.ts'
import type { Context } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { join, raw, sql } from '../../kernel/sql.ts'
import { visibleItems } from '../item/item.ts'
import { type Candidate, decide, type Occasion, type Told } from './decide.ts'
import { wanting } from './preference.ts'

/**
 * Who is to be told of what happened to these items, and why: by watches on the item, its area, its container and its
 * customer, of users, groups and addresses, and by being author or assignee. Whoever cannot see the item is not told,
 * an address if who set it up cannot; the watch stays. A few statements, however many items and people there are.
 */
export async function watchersOf(ctx: Context, itemIds: readonly Id[], occasion: Occasion): Promise<Told[]> {
  const candidates = await candidatesFor(ctx, itemIds)
  const wants = await wanting(ctx, [...new Set(candidates.flatMap(each => each.userId ?? []))])
  const told = decide(candidates, occasion, ctx.now, wants)
  const sees = await whoSees(ctx, told)
  return told.filter(each => sees(each.userId ?? each.createdBy, each.itemId))
}

async function candidatesFor(ctx: Context, itemIds: readonly Id[]): Promise<Candidate[]> {
  const { tenantId } = ctx.caller
  return await ctx.sql<Candidate>`
    with recursive wanted as (
      select i.id, i.area_id, i.container_id, i.crm_id, i.created_by, i.requester_id, i.assignees from item i where i.tenant_id = ${tenantId} and i.id = any(${itemIds}::uuid[])
    ), spot as (
      select id as item_id, 3 as owner, id::text as owner_id, 0 as distance from wanted
      union all select id, 2, area_id::text, 1 from wanted where area_id is not null
      union all select id, 1, container_id::text, 2 from wanted
      union all select id, 6, crm_id::text, 3 from wanted where crm_id is not null
    ), said as (
      select s.item_id, s.distance, w.user_id, w.user_group_id, w.email, w.created_by, w.level, w.reason, w.until from spot s
      join watch w on w.tenant_id = ${tenantId} and w.owner = s.owner and w.owner_id = s.owner_id and not w.deleted
    ), inside as (
      select g.id as root, g.id, g.members from user_group g where g.tenant_id = ${tenantId} and not g.deleted and g.id in (select user_group_id from said)
      union select i.root, g.id, g.members from user_group g join inside i on g.parent_id = i.id where g.tenant_id = ${tenantId} and not g.deleted
    )
    select item_id as "itemId", user_id as "userId", email, created_by as "createdBy", 0 as rank, distance, level, reason, until from said where user_group_id is null
    union all
    select s.item_id, u, '', s.created_by, 1, s.distance, s.level, s.reason, s.until from said s join inside i on i.root = s.user_group_id cross join unnest(i.members) u
    union all
    select id, u, '', u, 2, 0, 0, 2, null from wanted cross join unnest(assignees) u
    union all
    select distinct id, u, '', u, 2, 0, 0, 1, null::timestamptz from wanted cross join unnest(array[created_by, requester_id]) u where u is not null`
}

/** Which of these people see which of these items: one look for all of them. */
async function whoSees(ctx: Context, told: readonly Told[]): Promise<(userId: Id, itemId: Id) => boolean> {
  const userIds = [...new Set(told.map(each => each.userId ?? each.createdBy))]
  const itemIds = [...new Set(told.map(each => each.itemId))]
  const standings = await standingsOf(ctx, userIds)
  const seen = new Set<string>()
  const t = raw('t')
  for (const some of chunks([...standings], 50)) {
    const looks = some.map(
      ([userId, standing]) => sql`select ${userId}::uuid as "userId", t.id from item t
        where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${itemIds}::uuid[]) and ${visibleItems(readerOf(ctx, userId, standing), t)}`,
    )
    const rows = await ctx.sql<{ userId: Id; id: Id }>`${join(looks, ' union all ')}`
    for (const { userId, id } of rows) seen.add(`${userId} ${id}`)
  }
  return (userId, itemId) => seen.has(`${userId} ${itemId}`)
}

function readerOf({ caller }: Context, userId: Id, { name, timezone, authority }: Standing): Caller {
  return { tenantId: caller.tenantId, userId, name, timezone, kind: 'user', scopes: [], authority }
}

function* chunks<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}
