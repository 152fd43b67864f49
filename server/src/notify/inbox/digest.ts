import { Postponed, type Task } from '../../engine/dispatch/dispatch.ts'
import { itemVisibility } from '../../items/item/item.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import { escapedHtml } from '../../language/markup.ts'
import { mailPurpose } from '../../mail/outbound-mail/outbound-mail.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { type Unsubscription, unsubscribeLink } from '../../mail/unsubscribe.ts'
import { eventLabel, eventTopic, reasonText } from '../event-labels.ts'
import { countMail } from '../noise/count-messages.ts'
import { digestInterval, type NotifiedUser, notifiedUsers, updatePreference } from '../preference/preference.ts'
import { earliestMailTime } from '../preference/quiet-hours.ts'
import { subjectVisible } from './inbox.ts'
import { digestTaskName } from './write-entries.ts'

/** The part of an inbox entry that a digest mail shows. */
interface Due {
  id: Id
  subject: string
  subjectId: Id
  containerId: Id | ''
  key: string
  title: string
  reason: number
  events: string[]
  count: number
  text: string
}

/** A mail lists at most this many entries; the others are shown in the application only. */
const maxMailedEntries = 50

/** Mails a user the entries that they have not read: each entry once, and outside of their quiet hours. */
export const digestTask: Task = {
  name: digestTaskName,
  retryDelays: [60, 600, 3600, 6 * 3600].map(seconds => seconds * 1000),
  async run({ payload, caller, service, transaction }) {
    const userId = String(payload.userId)
    const reader = await caller(userId)
    const wait = await transaction(service, async ctx => {
      const person = (await notifiedUsers(ctx, [userId])).get(userId)
      const [next] = await ctx.sql<{ due: Date | null }>`select min(mail_due) as due from inbox_entry
        where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} and mail_due is not null`
      if (!next?.due) return 0
      if (!reader || !person?.wantsMail || person.digest === digestInterval.none) return await forget(ctx, userId)
      const early = Math.max(next.due.getTime(), (await earliestMailTime(ctx, person)).getTime()) - ctx.now.getTime()
      if (early > 0) return early
      await send(ctx, reader, person)
      return 0
    })
    if (wait > 0)
      throw new Postponed(wait, 'the digest is not due yet, or the working hours of the user have not begun')
  },
}

async function forget(ctx: Context, userId: Id): Promise<number> {
  await ctx.sql`update inbox_entry set mail_due = null where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} and mail_due is not null`
  return 0
}

async function send(ctx: Context, caller: Caller, reader: NotifiedUser): Promise<void> {
  const due = await dueFor(ctx, caller, reader.userId)
  // One transaction queues the mail and marks the entries, so each entry is mailed exactly once.
  await ctx.sql`update inbox_entry set mailed_at = case when id = any(${due.map(each => each.id)}::uuid[]) then ${ctx.now} else mailed_at end, mail_due = null
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${reader.userId} and mail_due is not null`
  if (due.length === 0) return
  const mail = await queueMail(ctx, {
    to: [reader.email],
    ...mailFor(ctx, reader, due),
    auto: true,
    purpose: mailPurpose.notification,
    list: { id: `inbox.${ctx.caller.tenantId}`, topic: digestTopic, key: reader.userId },
  })
  await countMail(ctx, mail, { kind: 'digest', id: '' })
}

/**
 * Returns the entries that are still unread, not archived, not snoozed and visible to the user. A confidential item is named
 * by its key alone, because mails are sent unencrypted and are kept.
 */
async function dueFor(ctx: Context, caller: Caller, userId: Id): Promise<Due[]> {
  return await ctx.sql<Due>`select e.id, e.subject, e.subject_id as "subjectId", coalesce(i.container_id::text, '') as "containerId", coalesce(i.key, '') as key,
      case when i.visibility = ${itemVisibility.confidential} then '' else coalesce(i.title, '') end as title, e.reason, e.events, e.count, e.text
    from inbox_entry e left join item i on e.subject = 'Item' and i.tenant_id = ${ownTenant} and i.id = e.subject_id
    where e.tenant_id = ${ctx.caller.tenantId} and e.user_id = ${userId} and e.mail_due is not null and e.unread and not e.archived
      and (e.snoozed_until is null or e.snoozed_until <= ${ctx.now}) and ${subjectVisible(caller, raw('e'))}
    order by e.updated, e.id limit ${maxMailedEntries}`
}

function mailFor(
  ctx: Context,
  reader: NotifiedUser,
  due: readonly Due[],
): { subject: string; text: string; html: string } {
  const [first] = due
  const subject = due.length === 1 && first ? nameOf(first) : `${due.length} things happened`
  const settings = (topic: string, key: string) =>
    unsubscribeLink(ctx.services.secrets, ctx.services.baseUrl, {
      tenantId: ctx.caller.tenantId,
      topic,
      address: reader.email,
      key,
    })
  const parts = due.map(each => {
    const what = each.events.map(eventLabel).join(', ')
    const stop = settings(eventTopic, [reader.userId, each.events.join(), each.containerId].join(' '))
    return { each, what, why: `${reasonText(each.reason)}.`, stop, stops: `No more mail about this (${what})` }
  })
  const text = parts
    .map(({ each, what, why, stop, stops }) =>
      [
        nameOf(each),
        what,
        each.subject === 'Notification' ? '' : each.text,
        linkOf(ctx, each),
        `${why} ${stops}: ${stop}`,
      ]
        .filter(Boolean)
        .join('\n'),
    )
    .join('\n\n')
  const html = parts.map(
    ({ each, what, why, stop, stops }) =>
      `<p><a href="${escapedHtml(linkOf(ctx, each))}">${escapedHtml(nameOf(each))}</a><br>${escapedHtml(what)}${each.text && each.subject !== 'Notification' ? `<br>${escapedHtml(each.text)}` : ''}<br><small>${escapedHtml(why)} <a href="${escapedHtml(stop)}">${escapedHtml(stops)}</a></small></p>`,
  )
  return { subject: subject.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300), text, html: html.join('\n') }
}

function nameOf({ subject, key, title, count, text }: Due): string {
  if (subject === 'Item') return `${key} ${title}`.trim()
  if (subject === 'Notification') return text
  return subject === 'ChangeSet' ? `${count} items were changed at once` : `A ${subject.toLowerCase()} that you watch`
}

const linkOf = ({ services: { baseUrl } }: Context, { subject, subjectId }: Due) =>
  subject === 'ChangeSet'
    ? `${baseUrl}/api/change/${subjectId}`
    : `${baseUrl}/api/${subject === 'Document' ? 'docs/doc' : subject === 'Crm' ? 'finance/crm' : subject.toLowerCase()}/${subjectId}`

export const digestTopic = 'inbox'

export async function unsubscribeFromDigests(ctx: Context, { key: userId }: Unsubscription): Promise<void> {
  await updatePreference(ctx, userId, { digest: digestInterval.none })
}

/** Turns off mail about these events in the item's container. The inbox still shows them. */
export async function unsubscribeFromEvents(ctx: Context, { key }: Unsubscription): Promise<void> {
  const [userId = '', events = '', containerId = ''] = key.split(' ')
  const reader = (await notifiedUsers(ctx, [userId])).get(userId)
  if (!reader) return
  const off = events.split(',').map(event => {
    const known = reader.events.find(each => each.event === event && each.containerId === containerId)
    return { event, containerId, inbox: known?.inbox ?? true, mail: false }
  })
  const rest = reader.events.filter(
    each => !off.some(o => o.event === each.event && o.containerId === each.containerId),
  )
  await updatePreference(ctx, userId, { events: [...rest, ...off] })
}
