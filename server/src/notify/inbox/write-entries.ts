import { Temporal } from 'temporal-polyfill'
import { enqueue } from '../../engine/dispatch/dispatch.ts'
import { sayAside } from '../../engine/live/private-notices.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { channelsFor } from '../preference/channels.ts'
import { digestInterval, type NotifiedUser, notifiedUsers } from '../preference/preference.ts'

/** Something that one person is to be told. */
export interface UserNotice {
  userId: Id
  subject: string
  subjectId: Id
  containerId: Id | ''
  reason: number
  names: readonly string[]
  changeSetId: Id
  actorId: Id
  text?: string
  /** The items that news of something else speaks of. */
  itemIds?: readonly Id[]
  /** There is a mail of its own about it. */
  mailedSeparately?: boolean
}

/** The task that mails what somebody has not seen. */
export const digestTaskName = 'inbox-digest'

/** So many items of one change, and they are told as one. */
const many = 5
const mentioned = 3

/** Which reason is shown where there are several: the first of these. */
const strongest = [mentioned, 2, 1, 7, 4, 0, 6, 5]

/** Writes down what people are told, bundle by bundle, in the way that each of them wants it. */
export async function writeEntries(ctx: Context, tellings: readonly UserNotice[]): Promise<void> {
  if (tellings.length === 0) return
  const readers = await notifiedUsers(ctx, [...new Set(tellings.map(each => each.userId))])
  const begun = await begunChanges(ctx, tellings)
  const entries: Entry[] = []
  for (const [userId, own] of Map.groupBy(tellings, each => each.userId)) {
    const reader = readers.get(userId)
    if (!reader) continue
    const wanted = own.flatMap(telling => {
      const channels = channelsFor(reader.events, telling.names, telling.containerId)
      const mail =
        channels.mail && !telling.mailedSeparately && reader.wantsMail && reader.digest !== digestInterval.none
      return channels.inbox || mail ? [{ ...telling, inApp: channels.inbox, mail }] : []
    })
    entries.push(
      ...bundleNotices(userId, wanted, begun).map(entry => ({ ...entry, due: dueAt(ctx.now, reader, entry) })),
    )
  }
  await write(ctx, entries)
  pushInboxChanged(ctx, [
    ...new Set(entries.filter(each => each.told.some(({ inApp }) => inApp)).map(each => each.userId)),
  ])
  await mailLater(
    ctx,
    entries.flatMap(entry => (entry.due ? entry.userId : [])),
  )
}

/** That there is something new to count, to whoever has the application open. */
export function pushInboxChanged(ctx: Context, userIds: readonly Id[]): void {
  sayAside(ctx, { entity: 'InboxEntry', name: 'inbox.changed', userIds })
}

type Wanted = UserNotice & { inApp: boolean; mail: boolean }

interface Bundle {
  userId: Id
  bundle: string
  subject: string
  subjectId: Id
  itemIds: Id[]
  told: Wanted[]
}

interface Entry extends Bundle {
  due: Date | null
}

/** By record; a change of many items is one bundle for each who is told of it, but for items in which they are named. */
export function bundleNotices(
  userId: Id,
  tellings: readonly Wanted[],
  begun: ReadonlySet<string> = new Set(),
): Bundle[] {
  const bulks = new Map<Id, Set<Id>>()
  const bundles = new Map<string, Bundle>()
  const ofBulk = ({ subject, reason }: UserNotice) => subject === 'Item' && reason !== mentioned
  for (const telling of tellings.filter(ofBulk)) {
    const ids = bulks.get(telling.changeSetId) ?? new Set()
    bulks.set(telling.changeSetId, ids.add(telling.subjectId))
  }
  for (const telling of tellings) {
    const { changeSetId, subject, subjectId } = telling
    const size = ofBulk(telling) ? (bulks.get(changeSetId)?.size ?? 0) : 0
    const bulk = size >= many || (size > 0 && begun.has(`${userId} ${bulkBundle(changeSetId)}`))
    const bundle = bulk ? bulkBundle(changeSetId) : `${subject} ${subjectId}`
    const known = bundles.get(bundle) ?? {
      userId,
      bundle,
      subject: bulk ? 'ChangeSet' : subject,
      subjectId: bulk ? changeSetId : subjectId,
      itemIds: bulk
        ? [...(bulks.get(changeSetId) ?? [])]
        : subject === 'Item'
          ? [subjectId]
          : [...(telling.itemIds ?? [])],
      told: [],
    }
    known.told.push(telling)
    bundles.set(bundle, known)
  }
  return [...bundles.values()]
}

const bulkBundle = (changeSetId: Id) => `ChangeSet ${changeSetId}`

/** A long change comes in several stretches of the log: what a first has begun, the others go on with. */
async function begunChanges(ctx: Context, tellings: readonly UserNotice[]): Promise<Set<string>> {
  const bundles = [...new Set(tellings.map(each => bulkBundle(each.changeSetId)))]
  const rows = await ctx.sql<{ key: string }>`select e.user_id || ' ' || e.bundle as key from inbox_entry e
    where e.tenant_id = ${ctx.caller.tenantId} and e.user_id = any(${[...new Set(tellings.map(each => each.userId))]}::uuid[]) and e.bundle = any(${bundles}::text[]) and not e.archived`
  return new Set(rows.map(row => row.key))
}

/** When the mail about it is due, if there is to be one. */
function dueAt(now: Date, { digest, timezone }: NotifiedUser, { told }: Bundle): Date | null {
  if (!told.some(each => each.mail)) return null
  if (digest === digestInterval.daily) return nextMorning(now, timezone)
  return new Date(now.getTime() + (digest === digestInterval.hourly ? 60 : 15) * 60_000)
}

function nextMorning(now: Date, timezone: string): Date {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone)
  const today = here.toPlainDate().toZonedDateTime({ timeZone: timezone, plainTime: '08:00' })
  const next = Temporal.ZonedDateTime.compare(today, here) > 0 ? today : today.add({ days: 1 })
  return new Date(next.epochMilliseconds)
}

/** How much of it is kept of a bundle: the newest. */
const kept = { items: 200, events: 30, changeSets: 50, actors: 20 }

/** What was read is read: a bundle that has been looked at begins anew. */
async function write(ctx: Context, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const { tenantId } = ctx.caller
  const rows = entries
    .map(({ userId, bundle, subject, subjectId, itemIds, told, due }) => ({
      id: newId(),
      user_id: userId,
      bundle,
      subject,
      subject_id: subjectId,
      item_ids: itemIds.slice(0, kept.items),
      reason: strongest.find(reason => told.some(each => each.reason === reason)) ?? told[0]?.reason ?? 0,
      events: [...new Set(told.flatMap(each => each.names))].slice(0, kept.events),
      change_set_ids: [...new Set(told.map(each => each.changeSetId))].slice(-kept.changeSets),
      actor_ids: [...new Set(told.map(each => each.actorId))].slice(0, kept.actors),
      count: subject === 'ChangeSet' ? itemIds.length : told.length,
      text: (told.findLast(each => each.text)?.text ?? '').slice(0, 1000),
      in_app: told.some(each => each.inApp),
      mail_due: due,
    }))
    // Two who tell the same people do so in the same order, and do not wait for each other crosswise.
    .sort((a, b) => (`${a.user_id} ${a.bundle}` < `${b.user_id} ${b.bundle}` ? -1 : 1))
  const both = (column: Sql, most: number) =>
    sql`case when e.unread then array(select distinct x from unnest(e.${column} || excluded.${column}) x order by x desc limit ${most}) else excluded.${column} end`
  const rank = (reason: Sql) => sql`coalesce(array_position(${strongest}::int[], ${reason}), 99)`
  await ctx.sql`
    insert into inbox_entry as e (tenant_id, id, created, created_by, updated, updated_by, user_id, bundle, subject, subject_id, item_ids, reason, events,
      change_set_ids, actor_ids, count, text, in_app, mail_due)
    select ${tenantId}::uuid, r.id, ${ctx.now}::timestamptz, ${ctx.caller.userId}::uuid, ${ctx.now}::timestamptz, ${ctx.caller.userId}::uuid, r.user_id, r.bundle, r.subject,
      r.subject_id, r.item_ids, r.reason, r.events, r.change_set_ids, r.actor_ids, r.count, r.text, r.in_app, r.mail_due
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, user_id uuid, bundle text, subject text, subject_id uuid, item_ids uuid[], reason int, events text[],
      change_set_ids uuid[], actor_ids uuid[], count int, text text, in_app boolean, mail_due timestamptz)
    on conflict (tenant_id, user_id, bundle) where not archived do update set updated = excluded.updated, version = e.version + 1, unread = true,
      item_ids = ${both(sql`item_ids`, kept.items)}, events = ${both(sql`events`, kept.events)}, change_set_ids = ${both(sql`change_set_ids`, kept.changeSets)},
      actor_ids = ${both(sql`actor_ids`, kept.actors)}, count = case when e.unread then e.count else 0 end + excluded.count,
      reason = case when e.unread and ${rank(sql`e.reason`)} < ${rank(sql`excluded.reason`)} then e.reason else excluded.reason end,
      text = case when excluded.text <> '' or not e.unread then excluded.text else e.text end, in_app = e.in_app or excluded.in_app,
      snoozed_until = case when excluded.reason = ${mentioned} then null else e.snoozed_until end, mail_due = coalesce(e.mail_due, excluded.mail_due)`
}

/** One mail for all that somebody has not seen by then, counted from the first of it. */
async function mailLater(ctx: Context, userIds: readonly Id[]): Promise<void> {
  if (userIds.length === 0) return
  const rows = await ctx.sql<{
    userId: Id
    due: Date
  }>`select user_id as "userId", min(mail_due) as due from inbox_entry
    where tenant_id = ${ctx.caller.tenantId} and user_id = any(${[...new Set(userIds)]}::uuid[]) and mail_due is not null group by user_id`
  const [first, ...more] = rows.map(({ userId, due }) => ({
    task: digestTaskName,
    key: userId,
    payload: { userId },
    runAt: due,
  }))
  if (first) await enqueue(ctx, first, ...more)
}
