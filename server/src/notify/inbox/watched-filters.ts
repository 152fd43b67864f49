import { type ContainerFilter, containerFilters } from '../../containers/container-filter/container-filter.ts'
import { recipientsOfRecords, visibilityFor } from '../../desk/watch/watch.ts'
import type { LoggedEvent } from '../../engine/dispatch/dispatch.ts'
import { compileItemQuery, type ItemQuery } from '../../items/search/search.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, sql, unprepared } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import type { UserNotice } from './bundle-notices.ts'
import { actorToSkip, type News } from './news.ts'

// The watchers of a filter are notified of items that enter or leave it. The matching ids are stored as a list, and only the
// items with events are tested again. Therefore a filter with more matches than the list may hold is not followed, and an item
// that enters or leaves merely because time passes is noticed at its next event.

/** Limits of followed filters per tenant, and of matching items per filter. */
const maxFilters = 100
const maxItems = 10_000

/** Returns the active filters that have a watch. */
async function watchedFilters(ctx: Context): Promise<Id[]> {
  const rows = await ctx.sql<{
    id: Id
  }>`select distinct f.id from watch w join container_filter f on f.tenant_id = ${ownTenant} and f.id::text = w.owner_id and not f.deleted and f.active
    where w.tenant_id = ${ctx.caller.tenantId} and w.owner = ${ownerKind.containerFilter} and not w.deleted order by f.id limit ${maxFilters}`
  return rows.map(row => row.id)
}

/** Tells whether the event creates a watch on a filter. */
export const startsFilterWatch = ({ kind, changes }: LoggedEvent) =>
  kind === 'watch.created' && changes.owner?.to === ownerKind.containerFilter

/** Stores the current matches of a filter, so that only later changes are reported. */
async function followFilter(ctx: Context, filter: ContainerFilter): Promise<void> {
  const { tenantId } = ctx.caller
  const { where } = await compileItemQuery(ctx, queryOf(filter))
  const rows = await ctx.sql<{ id: Id }>`${unprepared(
    sql`select t.id from item t where t.tenant_id = ${tenantId} and not t.deleted and not t.archived and ${where} limit ${maxItems + 1}`,
  )}`
  const followed = rows.length <= maxItems
  await ctx.sql`delete from watched_filter where tenant_id = ${tenantId} and filter_id = ${filter.id}`
  await ctx.sql`insert into watched_filter (tenant_id, filter_id, version, followed) values (${tenantId}, ${filter.id}, ${filter.version}, ${followed})`
  if (followed)
    await ctx.sql`insert into watched_filter_item (tenant_id, filter_id, item_id) select ${tenantId}, ${filter.id}, id from unnest(${rows.map(row => row.id)}::uuid[]) id returning 1`
}

/** Returns notices for the watchers of filters that items entered or left by the given news. */
export async function filterNotices(ctx: Context, news: readonly News[], begun: boolean): Promise<UserNotice[]> {
  const ofItems = news.filter(each => each.subject === 'Item')
  const last = new Map(ofItems.map(each => [each.subjectId, each]))
  if (last.size === 0 && !begun) return []
  const notices: UserNotice[] = []
  for (const id of await watchedFilters(ctx)) {
    const filter = await containerFilters.find(ctx, id)
    if (filter) notices.push(...(await noticesOfFilter(ctx, filter, last)))
  }
  return notices
}

async function noticesOfFilter(
  ctx: Context,
  filter: ContainerFilter,
  last: ReadonlyMap<Id, News>,
): Promise<UserNotice[]> {
  const { tenantId } = ctx.caller
  const [known] = await ctx.sql<{ version: number; followed: boolean }>`select version, followed from watched_filter
    where tenant_id = ${tenantId} and filter_id = ${filter.id}`
  // A changed filter starts a new list: its other matches have not entered it by an event.
  if (known?.version !== filter.version) {
    await followFilter(ctx, filter)
    return []
  }
  if (!known.followed || last.size === 0) return []
  const moved = await moves(ctx, filter, [...last.keys()])
  if (moved.length === 0) return []
  const changed = moved.map(({ id }) => ({ id, news: last.get(id) }))
  const recipients = await recipientsOfRecords(
    ctx,
    'ContainerFilter',
    changed.map(({ news }) => {
      const doer = news && actorToSkip(news.event)
      return { itemId: filter.id, event: { kind: 'filter.changed', ...(doer ? { actorId: doer } : {}) } }
    }),
  )
  const pairs = recipients.flatMap((people, i) =>
    people.flatMap(({ userId }): [Id, Id][] => (userId && moved[i] ? [[userId, moved[i].id]] : [])),
  )
  const sees = await visibilityFor(ctx, 'Item', pairs)
  return moved.flatMap(({ id, entered, containerId }, i) =>
    (recipients[i] ?? []).flatMap(({ userId, reason }) => {
      const event = last.get(id)?.event
      if (!userId || !event || !sees(userId, id)) return []
      const names = [entered ? 'filter.entered' : 'filter.left']
      const { changeSetId, actorId } = event
      const source = { kind: 'watch' as const, id: containerId }
      return [{ userId, subject: 'Item', subjectId: id, containerId, source, reason, names, changeSetId, actorId }]
    }),
  )
}

interface Move {
  id: Id
  containerId: Id
  entered: boolean
}

/** Updates the stored list for these items and returns those that entered or left the filter. */
async function moves(ctx: Context, filter: ContainerFilter, itemIds: readonly Id[]): Promise<Move[]> {
  const { tenantId } = ctx.caller
  const { where } = await compileItemQuery(ctx, queryOf(filter))
  return await ctx.sql<Move>`${unprepared(sql`
    with now as materialized (
      select t.id, t.container_id, (not t.deleted and not t.archived and ${where}) is true as inside from item t where t.tenant_id = ${tenantId} and t.id = any(${itemIds}::uuid[])
    ), gone as (
      delete from watched_filter_item f using now where f.tenant_id = ${tenantId} and f.filter_id = ${filter.id} and f.item_id = now.id and not now.inside
      returning now.id, now.container_id
    ), come as (
      insert into watched_filter_item (tenant_id, filter_id, item_id) select ${tenantId}, ${filter.id}, now.id from now where now.inside on conflict do nothing returning item_id as id
    )
    select id, container_id as "containerId", false as entered from gone
    union all select now.id, now.container_id, true from come join now using (id)`)}`
}

function queryOf({ criteria, containerId }: ContainerFilter): ItemQuery {
  const { conditionGroup, container = [], includeClosed = false } = criteria
  return { conditionGroup, container: container.length > 0 ? container : [containerId], includeClosed }
}
