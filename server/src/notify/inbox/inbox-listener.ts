import { type Told, whoIsTold, whoIsToldOf, whoSees } from '../../desk/watch/watch.ts'
import type { Listener, LoggedEvent, Task } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, operatorId } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { notifiedUsers } from '../preference/preference.ts'
import { actorToSkip, mayBeNews, type News, newsOf, type Subject, subjects } from './news.ts'
import { queueWatchMails, type WatchingAddress } from './watch-mail.ts'
import { filterNotices, startsFilterWatch } from './watched-filters.ts'
import { type UserNotice, writeEntries } from './write-entries.ts'

const taskName = 'inbox'

/** One job for a stretch of the log, and none for one that nobody wants to hear of: that is only read. */
export const inboxListener: Listener = {
  name: 'inbox',
  listens: async () => true,
  hears: event => event.entity === 'Watch' || mayBeNews(event),
  async jobs(ctx, events) {
    const told = events.filter(event => startsFilterWatch(event) || newsOf(event))
    const [first, last] = [told[0], told.at(-1)]
    if (!first || !last || !(await somebodyCares(ctx, events))) return []
    const [from, to] = [first, last].map(({ xact, id }) => ({ xact, id }))
    return [{ event: first, task: taskName, lane: taskName, payload: { from, to } }]
  },
}

/** Whether any of it concerns anybody but those who did it. Asked of every batch, so what is new is judged by its event alone. */
async function somebodyCares(ctx: Context, events: readonly LoggedEvent[]): Promise<boolean> {
  const news = events.flatMap(event => newsOf(event) ?? [])
  const watched = await watchedPlaces(ctx, events)
  if (watched.has(filters) || news.some(each => each.mentioned || concernsAtOnce(each, watched))) return true
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
        or ${or([watches(3, raw('i.id')), watches(1, raw('i.container_id')), watches(2, raw('i.area_id')), watches(6, raw('i.crm_id'))])}
    ) or exists (
      select 1 from unnest(${others.map(each => subjects[each.subject])}::int[], ${others.map(each => each.subjectId)}::text[]) as n (owner, owner_id)
      join watch w on w.tenant_id = ${tenantId} and w.owner = n.owner and w.owner_id = n.owner_id and not w.deleted) as cares`
  return row?.cares ?? false
}

/** A new item says all that matters: for whom it is, and where it lies. */
function concernsAtOnce({ event }: News, watched: ReadonlySet<string>): boolean {
  if (event.kind !== 'item.created') return false
  const { assignees, requesterId, containerId, areaId, crmId } = event.changes
  const people = [assignees, requesterId].flatMap(change => (change ? (change.to ?? [unknown]) : []))
  const doer = actorToSkip(event)
  return (
    people.some(each => each !== doer && each !== '') ||
    [containerId, areaId, crmId].some(change => change && watched.has(String(change.to ?? unknown)))
  )
}

/** A value that was too long to come along might be anything. */
const unknown = '?'
/** That a filter is watched, among the places. */
const filters = 'filter'
const maxPlaces = 10_000

/** The containers, areas and customers that somebody watches, and whether any filter is; a watch that has just begun is seen in the log. */
async function watchedPlaces(ctx: Context, events: readonly LoggedEvent[]): Promise<ReadonlySet<string>> {
  const begun = events.some(({ entity }) => entity === 'Watch')
  const load = async () => {
    const rows = await ctx.sql<{
      place: string
    }>`select distinct case when w.owner = 16 then ${filters} else w.owner_id end as place from watch w
      where w.tenant_id = ${ctx.caller.tenantId} and w.owner in (1, 2, 6, 16) and not w.deleted limit ${maxPlaces}`
    // Of so many, any might be watched.
    return new Set(rows.length < maxPlaces ? rows.map(row => row.place) : [filters])
  }
  return (await remembered(ctx, 'watched-places', load, begun)) ?? new Set()
}

interface Place {
  xact: string
  id: Id
}

export const inboxTask: Task = {
  name: taskName,
  ladder: [1, 5, 30, 120, 600, 3600].map(seconds => seconds * 1000),
  async run({ payload, service, transaction }) {
    const { from, to } = payload as unknown as { from: Place; to: Place }
    await transaction(service, async ctx => {
      const fresh =
        await ctx.sql`insert into inbox_done (tenant_id, xact, id, at) values (${ctx.caller.tenantId}, ${from.xact}::xid8, ${from.id}, ${ctx.now})
        on conflict do nothing returning true`
      if (fresh.length > 0) await notifyOfEvents(ctx, await eventsWithin(ctx, from, to))
    })
  },
}

async function eventsWithin(ctx: Context, from: Place, to: Place): Promise<LoggedEvent[]> {
  return await ctx.sql<LoggedEvent>`
    select e.tenant_id as "tenantId", e.xact::text as xact, e.id, e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId", e.actor_kind as "actorKind",
      e.change_set_id as "changeSetId", e.changes
    from event e where e.tenant_id = ${ctx.caller.tenantId} and (e.xact, e.id) >= (${from.xact}::xid8, ${from.id}::uuid) and (e.xact, e.id) <= (${to.xact}::xid8, ${to.id}::uuid)
    order by e.xact, e.id`
}

/** Tells everybody what concerns them of what happened: a few statements, however much it was. */
export async function notifyOfEvents(ctx: Context, events: readonly LoggedEvent[]): Promise<void> {
  const news = events.flatMap(event => newsOf(event) ?? [])
  const places = await containersOf(ctx, news)
  const tellings: UserNotice[] = []
  const hearers: WatchingAddress[] = []
  for (const [subject, own] of Map.groupBy(news, each => each.subject)) {
    const told = await toldOf(ctx, subject, own)
    tellings.push(...(await tellingsOf(ctx, own, told, places)))
    hearers.push(...(await hearersOf(ctx, own, told)))
  }
  await queueWatchMails(ctx, hearers)
  tellings.push(...(await filterNotices(ctx, news, events.some(startsFilterWatch))))
  await writeEntries(ctx, tellings)
}

/** Who is told of each of the news, in its place. */
async function toldOf(ctx: Context, subject: Subject, news: readonly News[]): Promise<Told[][]> {
  const affairs = news.map(({ event, subjectId, mentioned }) => {
    const doer = actorToSkip(event)
    const occasion = { kind: event.kind, at: event.at, changes: event.changes, ...(doer ? { actorId: doer } : {}) }
    return { itemId: subjectId, occasion, ...(mentioned ? { only: [mentioned] } : {}) }
  })
  return subject === 'Item' ? await whoIsTold(ctx, affairs) : await whoIsToldOf(ctx, subject, affairs)
}

async function tellingsOf(
  ctx: Context,
  news: readonly News[],
  told: readonly Told[][],
  places: ReadonlyMap<Id, Id>,
): Promise<UserNotice[]> {
  const sees = await sourcesSeen(ctx, news, told)
  return news.flatMap(({ event, subject, subjectId, names, source }, i) =>
    (told[i] ?? []).flatMap(({ userId, reason }) => {
      if (!userId || (source && !sees(userId, source.id))) return []
      const { changeSetId, actorId } = event
      const containerId = places.get(subjectId) ?? ''
      return [{ userId, subject, subjectId, containerId, reason, names, changeSetId, actorId }]
    }),
  )
}

/** The addresses among them; whoever is told as a user of the same address is not told twice. */
async function hearersOf(ctx: Context, news: readonly News[], told: readonly Told[][]): Promise<WatchingAddress[]> {
  const named = told.map(each => each.filter(({ email }) => email !== ''))
  if (named.every(each => each.length === 0)) return []
  const people = [...new Set(told.flatMap(each => each.flatMap(({ userId }) => userId ?? [])))]
  const readers = await notifiedUsers(ctx, people)
  return news.flatMap((each, i) => {
    const known = new Set((told[i] ?? []).map(({ userId }) => userId && readers.get(userId)?.email.toLowerCase()))
    return (named[i] ?? []).flatMap(({ watchId, email }) =>
      watchId && !known.has(email.toLowerCase()) ? [{ watchId, news: each }] : [],
    )
  })
}

/** An internal note is no news for the requester, though the ticket is theirs. */
async function sourcesSeen(ctx: Context, news: readonly News[], told: readonly { userId: Id | null }[][]) {
  const pairs = news.flatMap(({ source }, i) =>
    source ? (told[i] ?? []).flatMap(({ userId }): [Id, Id][] => (userId ? [[userId, source.id]] : [])) : [],
  )
  return await whoSees(ctx, 'Annotation', pairs)
}

async function containersOf(ctx: Context, news: readonly News[]): Promise<Map<Id, Id>> {
  const ids = [...new Set(news.filter(each => each.subject === 'Item').map(each => each.subjectId))]
  const rows = await ctx.sql<{ id: Id; containerId: Id }>`select id, container_id as "containerId" from item
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[])`
  const places = new Map(rows.map(row => [row.id, row.containerId]))
  for (const { subject, subjectId } of news) if (subject === 'Container') places.set(subjectId, subjectId)
  return places
}
