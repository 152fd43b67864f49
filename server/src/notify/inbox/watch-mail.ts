import { annotationKind, annotations, isPublic } from '../../desk/annotation/annotation.ts'
import { type Watch, watches, watchLevel } from '../../desk/watch/watch.ts'
import { enqueue, Postponed, type Task } from '../../engine/dispatch/dispatch.ts'
import { callerInContext } from '../../identity/authority.ts'
import { hides } from '../../identity/hidden-fields.ts'
import { visibleItems } from '../../items/item/item.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import { plainText } from '../../language/markup.ts'
import { plainAddress } from '../../mail/address.ts'
import { mailPurpose, mailState } from '../../mail/outbound-mail/outbound-mail.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { type Unsubscription, unsubscribeLink } from '../../mail/unsubscribe.ts'
import { actorToSkip, type News } from './news.ts'

// Addresses that watch belong to nobody here, so they are told what any outsider may hear: what is said openly about an
// item, and how it stands. Whoever set up the watch must see it themselves. News is kept by ids, and all is looked at again
// when the mail is written: what was taken back or closed off meanwhile is not told.

const taskName = 'watch-mail'
export const watchTopic = 'watch'

/** What comes within so long is one mail; ms. */
const bundled = 15 * 60_000
const maxTold = 50
const longestBody = 5000

/** An address that hears of something, by which watch. */
export interface WatchingAddress {
  watchId: Id
  news: News
}

/** Whether an address may hear of it at all, by its name alone. */
const isForAddresses = ({ subject, event, names }: News): boolean =>
  subject === 'Item' &&
  (event.kind.startsWith('annotation.') || names.some(name => /^item\.(transitioned|closed|reopened)$/.test(name)))

/** Keeps what addresses are to be told, each by a mail of its own. */
export async function queueWatchMails(ctx: Context, hearers: readonly WatchingAddress[]): Promise<void> {
  const told = hearers.filter(({ news }) => isForAddresses(news))
  if (told.length === 0) return
  const { tenantId } = ctx.caller
  const rows = told.map(({ watchId, news: { event, subjectId, source } }) => ({
    watch_id: watchId,
    event_id: event.id,
    item_id: subjectId,
    annotation_id: source?.id ?? null,
    actor_id: actorToSkip(event) ?? null,
    at: event.at,
  }))
  await ctx.sql`insert into watch_news (tenant_id, watch_id, event_id, item_id, annotation_id, actor_id, at)
    select ${tenantId}::uuid, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(watch_id uuid, event_id uuid, item_id uuid, annotation_id uuid, actor_id uuid, at timestamptz) on conflict do nothing`
  const due = await ctx.sql<{ watchId: Id; first: Date }>`select watch_id as "watchId", min(at) as first from watch_news
    where tenant_id = ${tenantId} and watch_id = any(${[...new Set(told.map(each => each.watchId))]}::uuid[]) group by watch_id`
  const [first, ...more] = due.map(each => ({
    task: taskName,
    key: each.watchId,
    payload: { watchId: each.watchId },
    runAt: new Date(each.first.getTime() + bundled),
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
      const early = next?.first ? next.first.getTime() + bundled - ctx.now.getTime() : 0
      if (early > 0) return early
      const watch = await watches.find(ctx, watchId)
      if (watch && !isSilent(ctx, watch)) await mail(ctx, watch)
      // The mail is owed and the news is gone in one transaction: neither twice nor not at all.
      await ctx.sql`delete from watch_news where tenant_id = ${tenantId} and watch_id = ${watchId}`
      return 0
    })
    if (wait > 0) throw new Postponed(wait, 'it is not due yet')
  },
}

/** What was muted or silenced since the news came is not told any more. */
const isSilent = ({ now }: Context, { level, until }: Watch): boolean =>
  level === watchLevel.muted || (until !== null && Date.parse(until) > now.getTime())

interface WatchNews {
  itemId: Id
  key: string
  title: string
  status: string
  /** What was said, and how; nothing of a change of the status. */
  kind: number | null
  body: string | null
  format: string | null
}

async function mail(ctx: Context, watch: Watch): Promise<void> {
  const creator = await callerInContext(ctx, watch.createdBy, 'rule')
  const news = creator ? await newsFor(ctx, watch, creator) : []
  const [first] = news
  if (!creator || !first) return
  const items = [...Map.groupBy(news.slice(0, maxTold), each => each.itemId).values()]
  const nameOf = ({ key, title }: WatchNews) => `${key} ${hides(creator, 'Item', 'title') ? '' : title}`.trim()
  const parts = items.map(own =>
    [...new Set(own.flatMap((each, i) => [...(i === 0 ? [nameOf(each)] : []), wordsOf(each)]))].join('\n\n'),
  )
  const address = plainAddress(watch.email)
  const claim = { tenantId: ctx.caller.tenantId, topic: watchTopic, address, key: watch.id }
  const stop = unsubscribeLink(ctx.services.secrets, ctx.services.baseUrl, claim)
  const foot = `You get this because ${address} watches it. No more of it: ${stop}`
  const subject = items.length === 1 ? nameOf(first) : `News of ${items.length} items`
  await queueMail(ctx, {
    to: [address],
    subject: subject.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300),
    text: [...parts, ...(news.length > maxTold ? ['And more.'] : []), foot].join('\n\n\n'),
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
  return text.length > longestBody ? `${text.slice(0, longestBody)} …` : text
}

/**
 * What of the news may leave: of items that are open to all who come there and that the watch's creator sees, what was said
 * publicly, and how they stand. Not what the address did or wrote itself, and not what it was mailed already because it is
 * in the talk.
 */
async function newsFor(ctx: Context, { id, email }: Watch, creator: Caller): Promise<WatchNews[]> {
  const { tenantId } = ctx.caller
  const address = plainAddress(email)
  const [i, a] = [raw('i'), raw('a')]
  return await ctx.sql<WatchNews>`
    select n.item_id as "itemId", i.key, i.title, i.status, case when n.annotation_id is not null then a.kind end as kind, a.body, a.body_format as format
    from watch_news n join item i on i.tenant_id = n.tenant_id and i.id = n.item_id left join annotation a on a.tenant_id = n.tenant_id and a.id = n.annotation_id
    where n.tenant_id = ${tenantId} and n.watch_id = ${id} and not i.deleted and i.visibility = 0 and i.restricted_to = '{}' and ${visibleItems(creator, i)}
      and (n.annotation_id is null or (a.item_id = i.id and a.kind = any(${Object.values(annotationKind).filter(isPublic)}::int[]) and a.restricted_to = '{}' and not a.deleted and ${annotations.visible(creator, a)}))
      and not exists (select 1 from "user" u where u.tenant_id = n.tenant_id and u.id = n.actor_id and lower(u.email) = ${address})
      and not exists (select 1 from mail_message m join annotation s on s.tenant_id = m.tenant_id and s.id = m.annotation_id and s.created = n.at
        where m.tenant_id = n.tenant_id and m.item_id = n.item_id and lower(m.sender) = ${address})
      and not exists (select 1 from outbound_mail o where o.tenant_id = n.tenant_id and o.annotation_id = n.annotation_id and o.state not in (${mailState.suppressed}, ${mailState.cancelled})
        and ${address} = any(select lower(r) from unnest(o."to" || o.cc) r))
      and (n.annotation_id is not null or ${!hides(creator, 'Item', 'status')})
    order by n.at, n.event_id limit ${maxTold + 1}`
}

/** One click ends the watch. */
export async function unsubscribeFromWatch(ctx: Context, { address, key }: Unsubscription): Promise<void> {
  const watch = await watches.find(ctx, key)
  if (watch && plainAddress(watch.email) === address) await watches.remove(ctx, watch.id)
}
