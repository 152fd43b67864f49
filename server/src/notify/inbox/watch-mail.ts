import { annotationKind, annotations, isPublic } from '../../desk/annotation/annotation.ts'
import { type Watch, watches, watchLevel } from '../../desk/watch/watch.ts'
import { enqueue, Postponed, type Task } from '../../engine/dispatch/dispatch.ts'
import { callerInContext } from '../../identity/authority.ts'
import { hidesSomewhere } from '../../identity/field-limit/hidden-fields.ts'
import { itemVisibility, visibleItems } from '../../items/item/item.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import { plainText } from '../../language/markup.ts'
import { plainAddress } from '../../mail/address.ts'
import { mailPurpose, mailState } from '../../mail/outbound-mail/outbound-mail.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { type Unsubscription, unsubscribeLink } from '../../mail/unsubscribe.ts'
import { actorToSkip, type News } from './news.ts'

// A watching address belongs to no user, so it receives only what any outsider may know: public comments on an item and its
// status. The creator of the watch must be able to see them too. News is stored as ids and checked again when the mail is
// written, so that anything deleted or restricted in the meantime is left out.

const taskName = 'watch-mail'
export const watchTopic = 'watch'

/** News within this time is sent as one mail; ms. */
const bundleTime = 15 * 60_000
const maxMailedNews = 50
const maxBodyLength = 5000

/** News for a watching address, with its watch. */
export interface WatchingAddress {
  watchId: Id
  news: News
}

/** Tells by its names alone whether news may be sent to an address. */
const isForAddresses = ({ subject, event, names }: News): boolean =>
  subject === 'Item' &&
  (event.kind.startsWith('annotation.') || names.some(name => /^item\.(transitioned|closed|reopened)$/.test(name)))

/** Stores the news for each address and schedules one mail per watch. */
export async function queueWatchMails(ctx: Context, addresses: readonly WatchingAddress[]): Promise<void> {
  const allowed = addresses.filter(({ news }) => isForAddresses(news))
  if (allowed.length === 0) return
  const { tenantId } = ctx.caller
  const rows = allowed.map(({ watchId, news: { event, subjectId, source } }) => ({
    watch_id: watchId,
    event_id: event.id,
    item_id: subjectId,
    annotation_id: source?.id ?? null,
    actor_id: actorToSkip(event) ?? null,
    at: event.at,
  }))
  await ctx.sql`insert into watch_news (tenant_id, watch_id, event_id, item_id, annotation_id, actor_id, at)
    select ${tenantId}::uuid, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(watch_id uuid, event_id uuid, item_id uuid, annotation_id uuid, actor_id uuid, at timestamptz) on conflict do nothing returning 1`
  const due = await ctx.sql<{ watchId: Id; first: Date }>`select watch_id as "watchId", min(at) as first from watch_news
    where tenant_id = ${tenantId} and watch_id = any(${[...new Set(allowed.map(each => each.watchId))]}::uuid[]) group by watch_id`
  const [first, ...more] = due.map(each => ({
    task: taskName,
    key: each.watchId,
    payload: { watchId: each.watchId },
    runAt: new Date(each.first.getTime() + bundleTime),
  }))
  if (first) await enqueue(ctx, first, ...more)
}

export const watchMailTask: Task = {
  name: taskName,
  retryDelays: [60, 600, 3600, 6 * 3600].map(seconds => seconds * 1000),
  async run({ payload, service, transaction }) {
    const watchId = String(payload.watchId)
    const wait = await transaction(service, async ctx => {
      const { tenantId } = ctx.caller
      const [next] = await ctx.sql<{ first: Date | null }>`select min(at) as first from watch_news
        where tenant_id = ${tenantId} and watch_id = ${watchId}`
      const early = next?.first ? next.first.getTime() + bundleTime - ctx.now.getTime() : 0
      if (early > 0) return early
      const watch = await watches.find(ctx, watchId)
      if (watch && !isSilent(ctx, watch)) await mail(ctx, watch)
      // One transaction queues the mail and deletes the news, so the news is mailed exactly once.
      await ctx.sql`delete from watch_news where tenant_id = ${tenantId} and watch_id = ${watchId}`
      return 0
    })
    if (wait > 0) throw new Postponed(wait, 'the mail is not due yet')
  },
}

/** A watch that was muted after the news arrived sends no mail. */
const isSilent = ({ now }: Context, { level, until }: Watch): boolean =>
  level === watchLevel.muted || (until !== null && Date.parse(until) > now.getTime())

interface WatchNews {
  itemId: Id
  key: string
  title: string
  status: string
  /** The comment; null for a change of the status. */
  kind: number | null
  body: string | null
  format: string | null
}

async function mail(ctx: Context, watch: Watch): Promise<void> {
  const creator = await callerInContext(ctx, watch.createdBy, watch.scopes)
  const news = creator ? await newsFor(ctx, watch, creator) : []
  const [first] = news
  if (!creator || !first) return
  const items = [...Map.groupBy(news.slice(0, maxMailedNews), each => each.itemId).values()]
  const nameOf = ({ key, title }: WatchNews) => `${key} ${hidesSomewhere(creator, 'Item', 'title') ? '' : title}`.trim()
  const parts = items.map(own =>
    [...new Set(own.flatMap((each, i) => [...(i === 0 ? [nameOf(each)] : []), wordsOf(each)]))].join('\n\n'),
  )
  const address = plainAddress(watch.email)
  const claim = { tenantId: ctx.caller.tenantId, topic: watchTopic, address, key: watch.id }
  const stop = unsubscribeLink(ctx.services.secrets, ctx.services.baseUrl, claim)
  const foot = `You get this because ${address} watches it. Unsubscribe: ${stop}`
  const subject = items.length === 1 ? nameOf(first) : `News of ${items.length} items`
  await queueMail(ctx, {
    to: [address],
    subject: subject.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300),
    text: [...parts, ...(news.length > maxMailedNews ? ['And more.'] : []), foot].join('\n\n\n'),
    auto: true,
    anyAddress: true,
    purpose: mailPurpose.notification,
    list: { id: `watch.${watch.id}`, topic: watchTopic, key: watch.id },
    ...(items.length === 1 ? { itemId: first.itemId } : {}),
  })
}

function wordsOf({ kind, body, format, status }: WatchNews): string {
  if (kind === null) return `Status: ${status}`
  const text = format === 'html' ? plainText(body ?? '') : (body ?? '')
  return text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)} …` : text
}

/**
 * Returns the news that may be sent: public comments and the status of unrestricted items that the creator of the watch may
 * see. Changes and comments by the address itself are left out, and so are comments that it already received by mail as a
 * participant of the conversation.
 */
async function newsFor(ctx: Context, { id, email }: Watch, creator: Caller): Promise<WatchNews[]> {
  const { tenantId } = ctx.caller
  const address = plainAddress(email)
  const [i, a] = [raw('i'), raw('a')]
  return await ctx.sql<WatchNews>`
    select n.item_id as "itemId", i.key, i.title, i.status, case when n.annotation_id is not null then a.kind end as kind, a.body, a.body_format as format
    from watch_news n join item i on i.tenant_id = ${ownTenant} and i.id = n.item_id left join annotation a on a.tenant_id = ${ownTenant} and a.id = n.annotation_id
    where n.tenant_id = ${tenantId} and n.watch_id = ${id} and not i.deleted and i.visibility = ${itemVisibility.normal} and i.restricted_to = '{}' and ${visibleItems(creator, i)}
      and (n.annotation_id is null or (a.item_id = i.id and a.kind = any(${Object.values(annotationKind).filter(isPublic)}::int[]) and a.restricted_to = '{}' and not a.deleted and ${annotations.visible(creator, a)}))
      and not exists (select 1 from "user" u where u.tenant_id = ${ownTenant} and u.id = n.actor_id and lower(u.email) = ${address})
      and not exists (select 1 from mail_message m join annotation s on s.tenant_id = ${ownTenant} and s.id = m.annotation_id and s.created = n.at
        where m.tenant_id = ${ownTenant} and m.item_id = n.item_id and lower(m.sender) = ${address})
      and not exists (select 1 from outbound_mail o where o.tenant_id = ${ownTenant} and o.annotation_id = n.annotation_id and o.state not in (${mailState.suppressed}, ${mailState.cancelled})
        and ${address} = any(select lower(r) from unnest(o."to" || o.cc) r))
      and (n.annotation_id is not null or ${!hidesSomewhere(creator, 'Item', 'status')})
    order by n.at, n.event_id limit ${maxMailedNews + 1}`
}

/** Removes the watch whose mail contained the link. */
export async function unsubscribeFromWatch(ctx: Context, { address, key }: Unsubscription): Promise<void> {
  const watch = await watches.find(ctx, key)
  if (watch && plainAddress(watch.email) === address) await watches.remove(ctx, watch.id)
}
