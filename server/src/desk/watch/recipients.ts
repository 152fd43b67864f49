import { type UserAccess, userAccessOfAll } from '../../identity/authority.ts'
import { items } from '../../items/item/item.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { ownerKinds } from '../../kernel/owner.ts'
import { join, name, raw, type Sql, sql } from '../../kernel/sql.ts'
import { wanting } from './auto-watch-setting.ts'
import { type Candidate, decide, type Occasion, type Told, toldByName } from './select-recipients.ts'

/** Something that happened to an item. `only` are people who are told of it whatever else they have said: those it names. */
export interface Affair {
  itemId: Id
  occasion: Occasion
  only?: readonly Id[]
}

/**
 * Who is to be told of what happened to these items, and why: by watches on the item, its area, its container and its
 * customer, of users, groups and addresses, and by being author or assignee. Whoever cannot see the item is not told,
 * an address if who set it up cannot; the watch stays. A few statements, however many items and people there are.
 */
export async function watchersOf(ctx: Context, itemIds: readonly Id[], occasion: Occasion): Promise<Told[]> {
  return (
    await whoIsTold(
      ctx,
      itemIds.map(itemId => ({ itemId, occasion })),
    )
  ).flat()
}

/** The same for much that happened at once: for each affair, in its place, who is told of it. */
export async function whoIsTold(ctx: Context, affairs: readonly Affair[]): Promise<Told[][]> {
  const open = affairs.filter(({ only }) => only === undefined)
  const candidates = Map.groupBy(
    await candidatesFor(ctx, [...new Set(open.map(each => each.itemId))]),
    each => each.itemId,
  )
  const people = [...candidates.values()].flatMap(each => each.flatMap(({ userId }) => userId ?? []))
  const wants = await wanting(ctx, [...new Set(people)])
  const told = affairs.map(({ itemId, occasion, only }) =>
    only ? named(itemId, only) : decide(candidates.get(itemId) ?? [], occasion, ctx.now, wants),
  )
  const sees = await whoSees(ctx, items.entity, pairsOf(told))
  return told.map(each => each.filter(({ userId, createdBy, itemId }) => sees(userId ?? createdBy, itemId)))
}

/** The same for what is watched besides items, such as documents; `itemId` is the record then. */
export async function whoIsToldOf(ctx: Context, entity: string, affairs: readonly Affair[]): Promise<Told[][]> {
  const recordIds = [...new Set(affairs.map(each => each.itemId))]
  const owner = (ownerKinds as readonly string[]).indexOf(entity)
  const spots = sql`select id as item_id, ${owner}::int as owner, id::text as owner_id, 0 as distance from unnest(${recordIds}::uuid[]) id`
  const rows = await ctx.sql<Candidate>`with recursive ${said(ctx, spots)} ${bySaid}`
  const candidates = Map.groupBy(rows, each => each.itemId)
  const told = affairs.map(({ itemId, occasion, only }) =>
    only ? named(itemId, only) : decide(candidates.get(itemId) ?? [], occasion, ctx.now, () => true),
  )
  const sees = await whoSees(ctx, entity, pairsOf(told))
  return told.map(each => each.filter(({ userId, createdBy, itemId }) => sees(userId ?? createdBy, itemId)))
}

const named = (itemId: Id, only: readonly Id[]): Told[] => only.map(userId => toldByName(itemId, userId))

const pairsOf = (told: readonly Told[][]): [Id, Id][] =>
  told.flat().map(({ userId, createdBy, itemId }) => [userId ?? createdBy, itemId])

async function candidatesFor(ctx: Context, itemIds: readonly Id[]): Promise<Candidate[]> {
  const { tenantId } = ctx.caller
  const spots = sql`select id as item_id, 3 as owner, id::text as owner_id, 0 as distance from wanted
      union all select id, 2, area_id::text, 1 from wanted where area_id is not null
      union all select id, 1, container_id::text, 2 from wanted
      union all select id, 6, crm_id::text, 3 from wanted where crm_id is not null`
  return await ctx.sql<Candidate>`
    with recursive wanted as (
      select i.id, i.area_id, i.container_id, i.crm_id, i.created_by, i.requester_id, i.assignees from item i where i.tenant_id = ${tenantId} and i.id = any(${itemIds}::uuid[])
    ), ${said(ctx, spots)} ${bySaid}
    union all
    select id, null::uuid, u, '', u, 2, 0, 0, 2, null, null from wanted cross join unnest(assignees) u
    union all
    select distinct id, null::uuid, u, '', u, 2, 0, 0, 1, null::timestamptz, null::timestamptz from wanted cross join unnest(array[created_by, requester_id]) u where u is not null`
}

/** The watches on these spots, and who is in the groups that have them. */
function said({ caller: { tenantId } }: Context, spots: Sql): Sql {
  return sql`spot as (${spots}), said as (
      select s.item_id, s.distance, w.id as watch_id, w.user_id, w.user_group_id, w.email, w.created_by, w.level, w.reason, w.until, w.created as since from spot s
      join watch w on w.tenant_id = ${tenantId} and w.owner = s.owner and w.owner_id = s.owner_id and not w.deleted
    ), inside as (
      select g.id as root, g.id, g.members from user_group g where g.tenant_id = ${tenantId} and not g.deleted and g.id in (select user_group_id from said)
      union select i.root, g.id, g.members from user_group g join inside i on g.parent_id = i.id where g.tenant_id = ${tenantId} and not g.deleted
    )`
}

const bySaid: Sql = sql`select item_id as "itemId", watch_id as "watchId", user_id as "userId", email, created_by as "createdBy", 0 as rank, distance, level, reason, until, since from said where user_group_id is null
    union all
    select s.item_id, s.watch_id, u, '', s.created_by, 1, s.distance, s.level, s.reason, s.until, s.since from said s join inside i on i.root = s.user_group_id cross join unnest(i.members) u`

/** Who of these people sees which records of a kind: one look for all of them. */
export async function whoSees(
  ctx: Context,
  entity: string,
  pairs: readonly (readonly [userId: Id, recordId: Id])[],
): Promise<(userId: Id, recordId: Id) => boolean> {
  const { table, visible } = kind(entity)
  const recordIds = [...new Set(pairs.map(([, recordId]) => recordId))]
  const standings = await userAccessOfAll(ctx, [...new Set(pairs.map(([userId]) => userId))])
  const seen = new Set<string>()
  const t = raw('t')
  for (const some of chunks([...standings], 50)) {
    const looks = some.map(
      ([userId, standing]) => sql`select ${userId}::uuid as "userId", t.id from ${name(table)} t
        where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${recordIds}::uuid[]) and ${visible(readerOf(ctx, userId, standing), t)}`,
    )
    const rows = await ctx.sql<{ userId: Id; id: Id }>`${join(looks, ' union all ')}`
    for (const { userId, id } of rows) seen.add(`${userId} ${id}`)
  }
  return (userId, recordId) => seen.has(`${userId} ${recordId}`)
}

function readerOf({ caller }: Context, userId: Id, { name, timezone, authority }: UserAccess): Caller {
  return { tenantId: caller.tenantId, userId, name, timezone, kind: 'user', scopes: [], authority }
}

function* chunks<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}
