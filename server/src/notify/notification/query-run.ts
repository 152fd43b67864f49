import { createHash } from 'node:crypto'
import { items } from '../../items/item/item.ts'
import { compileItemQuery } from '../../items/search/search.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, sql, unprepared } from '../../kernel/sql.ts'
import { hasGained, type KnownItem, limitMatches, type MatchingItem, remembersItems } from './limiter.ts'
import type { Notification } from './notification.ts'
import { interval as intervalCode, limiter as limiterCode } from './notification-codes.ts'

/** A run reads at most this many matches. */
const maxFound = 10_000

interface QueryResult {
  /** The items that this run reports, in the order of creation. */
  ids: Id[]
  /** All matching items, reported or not. */
  matches: MatchingItem[]
  /** More items match than a run reads. */
  more: boolean
}

/** Runs the query with the permissions of `ctx.caller` and applies the limiter. */
export async function runQuery(ctx: Context, notification: Notification): Promise<QueryResult> {
  const { tenantId, timezone } = ctx.caller
  const { id, limiter, interval } = notification
  const found = await matchingItems(ctx, notification)
  const matches = found.slice(0, maxFound)
  const [state] = await ctx.sql<{
    lastRun: Date | null
    lastList: string
  }>`select last_run as "lastRun", last_list as "lastList" from notification_state
    where tenant_id = ${tenantId} and notification_id = ${id}`
  const known = remembersItems(notification) ? await knownOf(ctx, id) : new Map<Id, KnownItem>()
  const before = { now: ctx.now, timezone: notification.timezone || timezone, lastRun: state?.lastRun ?? null, known }
  const nothingNew = interval === intervalCode.onGain && !hasGained(matches, known)
  const ids = nothingNew ? [] : limitMatches(limiter, matches, before)
  const same = limiter === limiterCode.ifDifferent && state?.lastList === listDigest(ids)
  return { ids: same ? [] : ids, matches, more: found.length > maxFound }
}

/** A matching item with the time of its creation. */
export interface TimedItem extends MatchingItem {
  created: Date
}

/** Returns the items that match with the permissions of `ctx.caller`, in the order of creation, at most one more than a run reads. */
export async function matchingItems(
  ctx: Context,
  { conditionGroup, container }: Pick<Notification, 'conditionGroup' | 'container'>,
): Promise<TimedItem[]> {
  const { where } = await compileItemQuery(ctx, { conditionGroup, container })
  const t = raw('t')
  return await ctx.sql<TimedItem>`${unprepared(sql`select t.id, t.created, t.updated, t.version from item t where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and not t.archived and ${items.visible(ctx.caller, t)} and ${where}
    order by t.id limit ${maxFound + 1}`)}`
}

async function knownOf(ctx: Context, id: Id): Promise<Map<Id, KnownItem>> {
  const rows = await ctx.sql<
    KnownItem & { id: Id }
  >`select item_id as id, told_at as "notifiedAt", matching, version from notification_seen
    where tenant_id = ${ctx.caller.tenantId} and notification_id = ${id}`
  return new Map(rows.map(row => [row.id, row]))
}

/** Stores what was reported and what matched. For most limiters an item that stops matching is forgotten, so that it is new when it matches again. */
export async function recordResult(
  ctx: Context,
  notification: Notification,
  { ids, matches }: QueryResult,
): Promise<void> {
  const { tenantId } = ctx.caller
  const { id, limiter } = notification
  await ctx.sql`insert into notification_state (tenant_id, notification_id, last_run, last_count, last_list)
    values (${tenantId}, ${id}, ${ctx.now}, ${ids.length}, ${ids.length > 0 ? listDigest(ids) : ''})
    on conflict (tenant_id, notification_id) do update set last_run = excluded.last_run, last_count = excluded.last_count, last_error = '',
      last_list = case when excluded.last_list = '' then notification_state.last_list else excluded.last_list end`
  if (!remembersItems(notification)) return
  const now = matches.map(match => match.id)
  // The limiters once per record, day and week need the time of the last report even after the item stops matching.
  if (limiter >= limiterCode.oncePerRecord && limiter <= limiterCode.oncePerWeek)
    await ctx.sql`update notification_seen set matching = false where tenant_id = ${tenantId} and notification_id = ${id} and matching and item_id <> all(${now}::uuid[])`
  else
    await ctx.sql`delete from notification_seen where tenant_id = ${tenantId} and notification_id = ${id} and item_id <> all(${now}::uuid[])`
  const versions = matches.map(match => match.version)
  await ctx.sql`insert into notification_seen as s (tenant_id, notification_id, item_id, told_at, matching, version)
    select ${tenantId}, ${id}, m.id, case when m.id = any(${ids}::uuid[]) then ${ctx.now}::timestamptz end, true, m.version
    from unnest(${now}::uuid[], ${versions}::int[]) as m (id, version)
    on conflict (tenant_id, notification_id, item_id) do update set told_at = coalesce(excluded.told_at, s.told_at), matching = true, version = excluded.version
    returning 1`
}

function listDigest(ids: readonly Id[]): string {
  return createHash('sha256').update(ids.join()).digest('hex')
}
