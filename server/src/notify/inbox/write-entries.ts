import { Temporal } from 'temporal-polyfill'
import { watchReason } from '../../desk/watch/watch.ts'
import { notifyPrivately, sessionChanged } from '../../engine/live/private-notices.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { isUrgent } from '../budget/urgent-events.ts'
import { type CountedMessage, countMessages } from '../noise/count-messages.ts'
import { channelsFor } from '../preference/channels.ts'
import { digestInterval, type NotifiedUser, notifiedUsers } from '../preference/preference.ts'
import { bulkBundle, bundleNotices, type NoticeBundle, type UserNotice } from './bundle-notices.ts'
import { scheduleDigests } from './schedule-digest.ts'

/** Of several reasons, an entry shows the first one in this order. */
const reasonOrder = [
  watchReason.mentioned,
  watchReason.assignee,
  watchReason.author,
  watchReason.cc,
  watchReason.commented,
  watchReason.manual,
  watchReason.group,
  watchReason.rule,
]

/** A bundle, and when the mail about it is due. */
interface Entry extends NoticeBundle {
  due: Date | null
}

/** Writes the inbox entries for the notices, by the channels that each user wants, and schedules their digest mails. */
export async function writeEntries(ctx: Context, notices: readonly UserNotice[]): Promise<void> {
  if (notices.length === 0) return
  const readers = await notifiedUsers(ctx, [...new Set(notices.map(each => each.userId))])
  const started = await startedBulks(ctx, notices)
  const entries: Entry[] = []
  for (const [userId, own] of Map.groupBy(notices, each => each.userId)) {
    const reader = readers.get(userId)
    if (!reader) continue
    const wanted = own.flatMap(notice => {
      const channels = channelsFor(reader.events, notice.names, notice.containerId)
      const mail =
        channels.mail &&
        !notice.mailedSeparately &&
        !notice.mailIsHeld &&
        reader.wantsMail &&
        reader.digest !== digestInterval.none
      return channels.inbox || mail ? [{ ...notice, inApp: channels.inbox, mail }] : []
    })
    entries.push(
      ...bundleNotices(userId, wanted, started).map(entry => ({ ...entry, due: dueAt(ctx.now, reader, entry) })),
    )
  }
  await write(ctx, entries)
  await countMessages(ctx, 'inbox', entries.flatMap(messagesOf))
  pushInboxChanged(ctx, [
    ...new Set(entries.filter(each => each.notices.some(({ inApp }) => inApp)).map(each => each.userId)),
  ])
  await scheduleDigests(
    ctx,
    entries.flatMap(entry => (entry.due ? entry.userId : [])),
  )
}

/** What an entry counts for: one message of each source that the user wants in the inbox. A held mail counts as held. */
function messagesOf({ userId, notices }: NoticeBundle): CountedMessage[] {
  const sources = new Map(
    notices.filter(each => each.inApp && !each.mailIsHeld).map(({ source }) => [`${source.kind} ${source.id}`, source]),
  )
  return [...sources.values()].map(source => ({ userId, source }))
}

/** Tells the open applications of these users to reload the unread count. */
export function pushInboxChanged(ctx: Context, userIds: readonly Id[]): void {
  notifyPrivately(ctx, { entity: 'InboxEntry', name: 'inbox.changed', userIds })
  notifyPrivately(ctx, { ...sessionChanged('unread'), userIds })
}

/** A long change comes in several ranges of the log: later ranges add to the bundle that the first one started. */
async function startedBulks(ctx: Context, notices: readonly UserNotice[]): Promise<Set<string>> {
  const bundles = [...new Set(notices.map(each => bulkBundle(each.changeSetId)))]
  const rows = await ctx.sql<{ key: string }>`select e.user_id || ' ' || e.bundle as key from inbox_entry e
    where e.tenant_id = ${ctx.caller.tenantId} and e.user_id = any(${[...new Set(notices.map(each => each.userId))]}::uuid[]) and e.bundle = any(${bundles}::text[]) and not e.archived`
  return new Set(rows.map(row => row.key))
}

/** Returns when the mail about a bundle is due, or null if none is wanted. */
function dueAt(now: Date, { digest, timezone }: NotifiedUser, { notices }: NoticeBundle): Date | null {
  if (!notices.some(each => each.mail)) return null
  if (digest === digestInterval.daily) return nextMorning(now, timezone)
  return new Date(now.getTime() + (digest === digestInterval.hourly ? 60 : 15) * 60_000)
}

function nextMorning(now: Date, timezone: string): Date {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone)
  const today = here.toPlainDate().toZonedDateTime({ timeZone: timezone, plainTime: '08:00' })
  const next = Temporal.ZonedDateTime.compare(today, here) > 0 ? today : today.add({ days: 1 })
  return new Date(next.epochMilliseconds)
}

/** The maximum number of values that an entry stores of each list. */
const kept = { items: 200, events: 30, changeSets: 50, actors: 20 }

/** Inserts the entries, or adds to the existing unread ones. An entry that was read starts again with the new notices. */
async function write(ctx: Context, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const { tenantId } = ctx.caller
  const rows = entries
    .map(({ userId, bundle, subject, subjectId, itemIds, notices, due }) => ({
      id: newId(),
      user_id: userId,
      bundle,
      subject,
      subject_id: subjectId,
      item_ids: itemIds.slice(0, kept.items),
      reason: reasonOrder.find(reason => notices.some(each => each.reason === reason)) ?? notices[0]?.reason ?? 0,
      events: [...new Set(notices.flatMap(each => each.names))].slice(0, kept.events),
      change_set_ids: [...new Set(notices.map(each => each.changeSetId))].slice(-kept.changeSets),
      actor_ids: [...new Set(notices.map(each => each.actorId))].slice(0, kept.actors),
      count: subject === 'ChangeSet' ? itemIds.length : notices.length,
      text: (notices.findLast(each => each.text)?.text ?? '').slice(0, 1000),
      in_app: notices.some(each => each.inApp),
      mail_due: due,
      mail_urgent: notices.some(({ mail, names }) => mail && names.some(isUrgent)),
    }))
    // Concurrent writers lock the rows in the same order, which prevents deadlocks.
    .sort((a, b) => (`${a.user_id} ${a.bundle}` < `${b.user_id} ${b.bundle}` ? -1 : 1))
  const both = (column: Sql, max: number) =>
    sql`case when e.unread then array(select distinct x from unnest(e.${column} || excluded.${column}) x order by x desc limit ${max}) else excluded.${column} end`
  const rank = (reason: Sql) => sql`coalesce(array_position(${reasonOrder}::int[], ${reason}), 99)`
  await ctx.sql`
    insert into inbox_entry as e (tenant_id, id, created, created_by, updated, updated_by, user_id, bundle, subject, subject_id, item_ids, reason, events,
      change_set_ids, actor_ids, count, text, in_app, mail_due, mail_urgent)
    select ${tenantId}::uuid, r.id, ${ctx.now}::timestamptz, ${ctx.caller.userId}::uuid, ${ctx.now}::timestamptz, ${ctx.caller.userId}::uuid, r.user_id, r.bundle, r.subject,
      r.subject_id, r.item_ids, r.reason, r.events, r.change_set_ids, r.actor_ids, r.count, r.text, r.in_app, r.mail_due, r.mail_urgent
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, user_id uuid, bundle text, subject text, subject_id uuid, item_ids uuid[], reason int, events text[],
      change_set_ids uuid[], actor_ids uuid[], count int, text text, in_app boolean, mail_due timestamptz, mail_urgent boolean)
    on conflict (tenant_id, user_id, bundle) where not archived do update set updated = excluded.updated, version = e.version + 1, unread = true,
      item_ids = ${both(sql`item_ids`, kept.items)}, events = ${both(sql`events`, kept.events)}, change_set_ids = ${both(sql`change_set_ids`, kept.changeSets)},
      actor_ids = ${both(sql`actor_ids`, kept.actors)}, count = case when e.unread then e.count else 0 end + excluded.count,
      reason = case when e.unread and ${rank(sql`e.reason`)} < ${rank(sql`excluded.reason`)} then e.reason else excluded.reason end,
      text = case when excluded.text <> '' or not e.unread then excluded.text else e.text end, in_app = e.in_app or excluded.in_app,
      snoozed_until = case when excluded.reason = ${watchReason.mentioned} then null else e.snoozed_until end, mail_urgent = e.mail_urgent or excluded.mail_urgent,
      mail_due = case when excluded.mail_urgent then least(e.mail_due, excluded.mail_due) else coalesce(e.mail_due, excluded.mail_due) end
    returning 1`
}
