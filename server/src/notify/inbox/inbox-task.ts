import {
  type Recipient,
  recipientsOfEach,
  recipientsOfRecords,
  visibilityFor,
  watchReason,
} from '../../desk/watch/watch.ts'
import type { LoggedEvent, Task } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { wholeChanges } from '../../records/history/whole-changes.ts'
import { notifiedUsers } from '../preference/preference.ts'
import type { UserNotice } from './bundle-notices.ts'
import { inboxTaskName } from './inbox-listener.ts'
import { actorToSkip, type News, newsOf, type Subject } from './news.ts'
import { queueWatchMails, type WatchingAddress } from './watch-mail.ts'
import { filterNotices, startsFilterWatch } from './watched-filters.ts'
import { writeEntries } from './write-entries.ts'

/** A position in the event log. */
interface LogPosition {
  xact: string
  id: Id
}

export const inboxTask: Task = {
  name: inboxTaskName,
  retryDelays: [1, 5, 30, 120, 600, 3600].map(seconds => seconds * 1000),
  async run({ payload, service, transaction }) {
    const [from, to] = [readPosition(payload.from), readPosition(payload.to)]
    await transaction(service, async ctx => {
      const fresh =
        await ctx.sql`insert into inbox_done (tenant_id, xact, id, at) values (${ctx.caller.tenantId}, ${from.xact}::xid8, ${from.id}, ${ctx.now})
        on conflict do nothing returning true`
      if (fresh.length > 0) await notifyOfEvents(ctx, await eventsWithin(ctx, from, to))
    })
  },
}

function readPosition(value: unknown): LogPosition {
  return { xact: String(Reflect.get(Object(value), 'xact')), id: String(Reflect.get(Object(value), 'id')) }
}

async function eventsWithin(ctx: Context, from: LogPosition, to: LogPosition): Promise<LoggedEvent[]> {
  return await ctx.sql<LoggedEvent>`
    select e.tenant_id as "tenantId", e.xact::text as xact, e.id, e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId", e.actor_kind as "actorKind",
      e.change_set_id as "changeSetId", ${wholeChanges} as changes
    from event e where e.tenant_id = ${ctx.caller.tenantId} and (e.xact, e.id) >= (${from.xact}::xid8, ${from.id}::uuid) and (e.xact, e.id) <= (${to.xact}::xid8, ${to.id}::uuid)
    order by e.xact, e.id`
}

/** Notifies everybody whom the events concern. The number of SQL statements does not depend on the number of events. */
async function notifyOfEvents(ctx: Context, events: readonly LoggedEvent[]): Promise<void> {
  const news = events.flatMap(event => newsOf(event) ?? [])
  const places = await containersOf(ctx, news)
  const notices: UserNotice[] = []
  const addresses: WatchingAddress[] = []
  for (const [subject, own] of Map.groupBy(news, each => each.subject)) {
    const recipients = await recipientsOfNews(ctx, subject, own)
    notices.push(...(await userNotices(ctx, own, recipients, places)))
    addresses.push(...(await watchingAddresses(ctx, own, recipients)))
  }
  await queueWatchMails(ctx, addresses)
  notices.push(...(await filterNotices(ctx, news, events.some(startsFilterWatch))))
  await writeEntries(ctx, notices)
}

/** Returns the recipients of each of the news, in the same order. */
async function recipientsOfNews(ctx: Context, subject: Subject, news: readonly News[]): Promise<Recipient[][]> {
  const queries = news.map(({ event, subjectId, mentioned }) => {
    const doer = actorToSkip(event)
    const watched = { kind: event.kind, at: event.at, changes: event.changes, ...(doer ? { actorId: doer } : {}) }
    return { itemId: subjectId, event: watched, ...(mentioned ? { only: [mentioned] } : {}) }
  })
  return subject === 'Item' ? await recipientsOfEach(ctx, queries) : await recipientsOfRecords(ctx, subject, queries)
}

async function userNotices(
  ctx: Context,
  news: readonly News[],
  recipients: readonly Recipient[][],
  places: ReadonlyMap<Id, Id>,
): Promise<UserNotice[]> {
  const sees = await sourcesSeen(ctx, news, recipients)
  return news.flatMap(({ event, subject, subjectId, names, source }, i) =>
    (recipients[i] ?? []).flatMap(({ userId, reason }) => {
      if (!userId || (source && !sees(userId, source.id))) return []
      const { changeSetId, actorId } = event
      const containerId = places.get(subjectId) ?? ''
      const kind = reason === watchReason.mentioned ? 'mention' : 'watch'
      return [
        {
          userId,
          subject,
          subjectId,
          containerId,
          source: { kind, id: containerId },
          reason,
          names,
          changeSetId,
          actorId,
        },
      ]
    }),
  )
}

/** Returns the mail addresses among the recipients, without those of users who are notified of the same news anyway. */
async function watchingAddresses(
  ctx: Context,
  news: readonly News[],
  recipients: readonly Recipient[][],
): Promise<WatchingAddress[]> {
  const named = recipients.map(each => each.filter(({ email }) => email !== ''))
  if (named.every(each => each.length === 0)) return []
  const people = [...new Set(recipients.flatMap(each => each.flatMap(({ userId }) => userId ?? [])))]
  const readers = await notifiedUsers(ctx, people)
  return news.flatMap((each, i) => {
    const known = new Set((recipients[i] ?? []).map(({ userId }) => userId && readers.get(userId)?.email.toLowerCase()))
    return (named[i] ?? []).flatMap(({ watchId, email }) =>
      watchId && !known.has(email.toLowerCase()) ? [{ watchId, news: each }] : [],
    )
  })
}

/** A recipient must see the comment itself too: a requester sees the ticket, but not its internal notes. */
async function sourcesSeen(ctx: Context, news: readonly News[], recipients: readonly { userId: Id | null }[][]) {
  const pairs = news.flatMap(({ source }, i) =>
    source ? (recipients[i] ?? []).flatMap(({ userId }): [Id, Id][] => (userId ? [[userId, source.id]] : [])) : [],
  )
  return await visibilityFor(ctx, 'Annotation', pairs)
}

async function containersOf(ctx: Context, news: readonly News[]): Promise<Map<Id, Id>> {
  const ids = [...new Set(news.filter(each => each.subject === 'Item').map(each => each.subjectId))]
  const rows = await ctx.sql<{ id: Id; containerId: Id }>`select id, container_id as "containerId" from item
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[])`
  const places = new Map(rows.map(row => [row.id, row.containerId]))
  for (const { subject, subjectId } of news) if (subject === 'Container') places.set(subjectId, subjectId)
  return places
}
