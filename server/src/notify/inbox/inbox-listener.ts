import type { Listener, LoggedEvent } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import { operatorId } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { actorToSkip, mayBeNews, type News, newsOf, subjects } from './news.ts'
import { startsFilterWatch } from './watched-filters.ts'

/** The task that writes inbox entries for a range of the event log. */
export const inboxTaskName = 'inbox'

/** Creates one job per batch of events, and none if the batch concerns nobody, so that such a batch costs no write. */
export const inboxListener: Listener = {
  name: 'inbox',
  listens: async () => true,
  accepts: event => event.entity === 'Watch' || mayBeNews(event),
  async jobs(ctx, events) {
    const relevant = events.filter(event => startsFilterWatch(event) || newsOf(event))
    const [first, last] = [relevant[0], relevant.at(-1)]
    if (!first || !last || !(await concernsSomebody(ctx, events))) return []
    const [from, to] = [first, last].map(({ xact, id }) => ({ xact, id }))
    return [{ event: first, task: inboxTaskName, lane: inboxTaskName, payload: { from, to } }]
  },
}

/**
 * Tells whether any of the events concerns somebody other than its actor. This runs for every batch, so new items are judged
 * by their event alone, without a query.
 */
async function concernsSomebody(ctx: Context, events: readonly LoggedEvent[]): Promise<boolean> {
  const news = events.flatMap(event => newsOf(event) ?? [])
  const watched = await watchedPlaces(ctx, events)
  if (watched.has(filters) || news.some(each => each.mentioned || newItemConcerns(each, watched))) return true
  const older = news.filter(({ event }) => event.kind !== 'item.created')
  if (older.length === 0) return false
  const { tenantId } = ctx.caller
  const ofItems = older.filter(each => each.subject === 'Item')
  const others = older.filter(each => each.subject !== 'Item')
  const watches = (owner: number, id: Sql) =>
    sql`exists (select 1 from watch w where w.tenant_id = ${tenantId} and w.owner = ${raw(String(owner))} and w.owner_id = ${id}::text and not w.deleted and (w.user_id is null or w.user_id is distinct from n.doer))`
  const [row] = await ctx.sql<{ cares: boolean }>`select exists (
      select 1 from unnest(${ofItems.map(each => each.subjectId)}::uuid[], ${ofItems.map(({ event }) => actorToSkip(event) ?? null)}::uuid[]) as n (item_id, doer)
      cross join lateral (select * from item i where i.tenant_id = ${tenantId} and i.id = n.item_id limit 1) i
      where exists (select 1 from unnest(i.assignees || i.created_by || i.requester_id) u where u is not null and u is distinct from n.doer and u <> ${operatorId})
        or ${or([watches(ownerKind.item, raw('i.id')), watches(ownerKind.container, raw('i.container_id')), watches(ownerKind.area, raw('i.area_id')), watches(ownerKind.crm, raw('i.crm_id'))])}
    ) or exists (
      select 1 from unnest(${others.map(each => subjects[each.subject])}::int[], ${others.map(each => each.subjectId)}::text[]) as n (owner, owner_id)
      join watch w on w.tenant_id = ${tenantId} and w.owner = n.owner and w.owner_id = n.owner_id and not w.deleted) as cares`
  return row?.cares ?? false
}

/** The event of a new item names its people and its places, so no query is needed. */
function newItemConcerns({ event }: News, watched: ReadonlySet<string>): boolean {
  if (event.kind !== 'item.created') return false
  const { assignees, requesterId, containerId, areaId, crmId } = event.changes
  const people = [assignees, requesterId].flatMap(change => (change ? (change.to ?? [unknown]) : []))
  const doer = actorToSkip(event)
  return (
    people.some(each => each !== doer && each !== '') ||
    [containerId, areaId, crmId].some(change => change && watched.has(String(change.to ?? unknown)))
  )
}

/** Stands for a value that was too long for the event, and so might be any value. */
const unknown = '?'
/** Marks in the set of places that at least one filter is watched. */
const filters = 'filter'
const maxPlaces = 10_000

/** The watched containers, areas and customers, and whether any filter is watched. An event of a watch reloads the cached set. */
async function watchedPlaces(ctx: Context, events: readonly LoggedEvent[]): Promise<ReadonlySet<string>> {
  const begun = events.some(({ entity }) => entity === 'Watch')
  const load = async () => {
    const rows = await ctx.sql<{
      place: string
    }>`select distinct case when w.owner = ${ownerKind.containerFilter} then ${filters} else w.owner_id end as place from watch w
      where w.tenant_id = ${ctx.caller.tenantId} and w.owner in (${ownerKind.container}, ${ownerKind.area}, ${ownerKind.crm}, ${ownerKind.containerFilter}) and not w.deleted limit ${maxPlaces}`
    // Above the limit the set is incomplete, so every event counts as watched.
    return new Set(rows.length < maxPlaces ? rows.map(row => row.place) : [filters])
  }
  return (await remembered(ctx, 'watched-places', load, begun)) ?? new Set()
}
