import { type UserAccess, userAccessOfAll } from '../../identity/authority.ts'
import { items } from '../../items/item/item.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { join, name, raw, type Sql, sql } from '../../kernel/sql.ts'
import { ownerKind, ownerKinds } from '../../records/references/owner.ts'
import { autoWatchPreferences } from './auto-watch-setting.ts'
import {
  mentionedRecipient,
  type Recipient,
  type RecipientCandidate,
  selectRecipients,
  type WatchedEvent,
} from './select-recipients.ts'

/** An event of one item. With `only`, exactly these users are notified: those whom the text mentions. */
interface RecipientQuery {
  itemId: Id
  event: WatchedEvent
  only?: readonly Id[]
}

/**
 * The recipients of one event of these items: through watches of users, groups and addresses on the item, its area, its
 * container or its customer, and as author or assignee. Whoever cannot see the item is left out; for an address, the
 * creator of its watch must see it. The number of statements does not depend on the number of items or users.
 */
export async function recipientsOf(ctx: Context, itemIds: readonly Id[], event: WatchedEvent): Promise<Recipient[]> {
  const queries = itemIds.map(itemId => ({ itemId, event }))
  return (await recipientsOfEach(ctx, queries)).flat()
}

/** The recipients of many events at once: one list for each query, in the same order. */
export async function recipientsOfEach(ctx: Context, queries: readonly RecipientQuery[]): Promise<Recipient[][]> {
  const watched = queries.filter(({ only }) => only === undefined)
  const candidates = Map.groupBy(
    await itemCandidates(ctx, [...new Set(watched.map(each => each.itemId))]),
    each => each.itemId,
  )
  const userIds = [...candidates.values()].flatMap(each => each.flatMap(({ userId }) => userId ?? []))
  const preferences = await autoWatchPreferences(ctx, [...new Set(userIds)])
  const recipients = queries.map(({ itemId, event, only }) =>
    only
      ? mentionedRecipients(itemId, only)
      : selectRecipients(candidates.get(itemId) ?? [], event, ctx.now, preferences),
  )
  return await withoutBlind(ctx, items.entity, recipients)
}

/** The same for other watched kinds, such as documents; `itemId` is the id of the record. */
export async function recipientsOfRecords(
  ctx: Context,
  entity: (typeof ownerKinds)[number],
  queries: readonly RecipientQuery[],
): Promise<Recipient[][]> {
  const recordIds = [...new Set(queries.map(each => each.itemId))]
  const owner = ownerKinds.indexOf(entity)
  const targets = sql`select id as item_id, ${owner}::int as owner, id::text as owner_id, 0 as distance from unnest(${recordIds}::uuid[]) id`
  const rows = await ctx.sql<RecipientCandidate>`with recursive ${watchesOn(ctx, targets)} ${watchCandidates}`
  const candidates = Map.groupBy(rows, each => each.itemId)
  const recipients = queries.map(({ itemId, event, only }) =>
    only
      ? mentionedRecipients(itemId, only)
      : selectRecipients(candidates.get(itemId) ?? [], event, ctx.now, () => true),
  )
  return await withoutBlind(ctx, entity, recipients)
}

const mentionedRecipients = (itemId: Id, only: readonly Id[]): Recipient[] =>
  only.map(userId => mentionedRecipient(itemId, userId))

/** Leaves out the recipients who cannot see the record. */
async function withoutBlind(ctx: Context, entity: string, recipients: readonly Recipient[][]): Promise<Recipient[][]> {
  const readerOf = ({ userId, createdBy }: Recipient) => userId ?? createdBy
  const pairs = recipients.flat().map(each => [readerOf(each), each.itemId] as const)
  const sees = await visibilityFor(ctx, entity, pairs)
  return recipients.map(list => list.filter(each => sees(readerOf(each), each.itemId)))
}

/** A code inside the statement, where PostgreSQL knows it when it plans. */
const code = (value: number) => raw(String(value))

async function itemCandidates(ctx: Context, itemIds: readonly Id[]): Promise<RecipientCandidate[]> {
  const { tenantId } = ctx.caller
  const targets = sql`select id as item_id, ${code(ownerKind.item)} as owner, id::text as owner_id, 0 as distance from wanted
      union all select id, ${code(ownerKind.area)}, area_id::text, 1 from wanted where area_id is not null
      union all select id, ${code(ownerKind.container)}, container_id::text, 2 from wanted
      union all select id, ${code(ownerKind.crm)}, crm_id::text, 3 from wanted where crm_id is not null`
  return await ctx.sql<RecipientCandidate>`
    with recursive wanted as (
      select i.id, i.area_id, i.container_id, i.crm_id, i.created_by, i.requester_id, i.assignees from item i where i.tenant_id = ${tenantId} and i.id = any(${itemIds}::uuid[])
    ), ${watchesOn(ctx, targets)} ${watchCandidates}
    union all
    select id, null::uuid, u, '', u, 2, 0, 0, 2, null, null from wanted cross join unnest(assignees) u
    union all
    select distinct id, null::uuid, u, '', u, 2, 0, 0, 1, null::timestamptz, null::timestamptz from wanted cross join unnest(array[created_by, requester_id]) u where u is not null`
}

/** Two common table expressions: the watches on these targets, and the groups inside the groups that watch them. */
function watchesOn({ caller: { tenantId } }: Context, targets: Sql): Sql {
  return sql`target as (${targets}), watching as (
      select s.item_id, s.distance, w.id as watch_id, w.user_id, w.user_group_id, w.email, w.created_by, w.level, w.reason, w.until, w.created as since from target s
      join watch w on w.tenant_id = ${tenantId} and w.owner = s.owner and w.owner_id = s.owner_id and not w.deleted
    ), inside as (
      select g.id as root, g.id, g.members from user_group g where g.tenant_id = ${tenantId} and not g.deleted and g.id in (select user_group_id from watching)
      union select i.root, g.id, g.members from user_group g join inside i on g.parent_id = i.id where g.tenant_id = ${tenantId} and not g.deleted
    )`
}

const watchCandidates: Sql = sql`select item_id as "itemId", watch_id as "watchId", user_id as "userId", email, created_by as "createdBy", 0 as rank, distance, level, reason, until, since from watching where user_group_id is null
    union all
    select s.item_id, s.watch_id, u, '', s.created_by, 1, s.distance, s.level, s.reason, s.until, s.since from watching s join inside i on i.root = s.user_group_id cross join unnest(i.members) u`

/** Tells which of these users see which records of a kind, with one statement for fifty users. */
export async function visibilityFor(
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
    const selects = some.map(
      ([userId, standing]) => sql`select ${userId}::uuid as "userId", t.id from ${name(table)} t
        where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${recordIds}::uuid[]) and ${visible(callerOf(ctx, userId, standing), t)}`,
    )
    const rows = await ctx.sql<{ userId: Id; id: Id }>`${join(selects, ' union all ')}`
    for (const { userId, id } of rows) seen.add(`${userId} ${id}`)
  }
  return (userId, recordId) => seen.has(`${userId} ${recordId}`)
}

function callerOf({ caller }: Context, userId: Id, { name, timezone, authority }: UserAccess): Caller {
  return { tenantId: caller.tenantId, userId, name, timezone, kind: 'user', scopes: [], authority }
}

function* chunks<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}
