import { annotationKind, htmlOf, isPublic } from '../../desk/annotation/annotation.ts'
import { promisesTo, type ShownPromise } from '../../desk/card/stored-clocks.ts'
import { canReopen } from '../../desk/ticket/follow-up.ts'
import { canRate } from '../../desk/ticket/requester-actions.ts'
import {
  type ArticleLink,
  articlesIn,
  linkedArticles,
  withArticlePages,
} from '../../documents/article/article-links.ts'
import { isClosed } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Guest } from './find-guest.ts'

// What a guest sees of a ticket: a list of properties that is made for it, and never the ticket without some.

export interface GuestMessage {
  id: Id
  at: string
  /** Who wrote it; empty if only an address is known. */
  author: string
  /** Whether it came from the requester's side. */
  own: boolean
  html: string
  /** The names of the attached files. */
  files: string[]
  attachments: GuestFile[]
  /** The articles that it links to, and that the guest can open. */
  articles: ArticleLink[]
}

/** A file that the guest can download. */
interface GuestFile {
  id: Id
  name: string
  size: number
}

export interface GuestTicket {
  key: string
  title?: string
  description?: string
  status?: string
  statusCategory?: number
  waitingOn?: number
  created: string
  closedAt?: string | null
  desk: string
  clock: ShownPromise[]
  satisfaction: { score: number; comment: string } | null
  can: { close: boolean; reopen: boolean; rate: boolean }
  messages: GuestMessage[]
  expiresAt: string
}

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const instant: Schema = { type: 'string', format: 'date-time' }
const whole = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
})

export const guestTicketSchema: Schema = whole(
  {
    key: text,
    title: text,
    description: text,
    status: text,
    statusCategory: { type: 'integer' },
    waitingOn: { type: 'integer' },
    created: instant,
    closedAt: { ...instant, nullable: true },
    desk: { ...text, description: 'The name of the service desk.' },
    clock: {
      type: 'array',
      items: { type: 'object' },
      description: 'What was promised, as `include=clock` shows it to requesters.',
    },
    satisfaction: { type: 'object', nullable: true, properties: { score: { type: 'integer' }, comment: text } },
    can: whole({ close: flag, reopen: flag, rate: flag }),
    messages: {
      type: 'array',
      description: 'The public conversation, oldest first: at most the newest 500.',
      items: whole({
        id: text,
        at: instant,
        author: text,
        own: flag,
        html: text,
        files: { type: 'array', items: text },
        attachments: {
          type: 'array',
          description: 'The same files, for `GET /api/guest/{token}/file/{id}`.',
          items: whole({ id: text, name: text, size: { type: 'integer' } }),
        },
        articles: {
          type: 'array',
          description: 'The articles that it links to, with their pages on the portal.',
          items: whole({ id: text, title: text, url: text }),
        },
      }),
    },
    expiresAt: { ...instant, description: 'How long the link is valid.' },
  },
  {
    title: 'GuestTicket',
    required: ['key', 'created', 'desk', 'clock', 'satisfaction', 'can', 'messages', 'expiresAt'],
  },
)

const shown = ['title', 'description', 'status', 'statusCategory', 'waitingOn', 'closedAt'] as const

/** Reads the ticket for a guest; properties that are hidden from the requester are absent. */
export async function readForGuest(ctx: Context, { ticket, reader, expiresAt }: Guest): Promise<GuestTicket> {
  const { redaction } = ctx.services
  const record = redaction.hidesAnything(reader)
    ? await redaction.redact(ctx.derive({ caller: reader }), ticket)
    : ticket
  const visible = Object.entries(Object(record)).filter(([property]) => shown.some(each => each === property))
  const closed = isClosed(ticket.statusCategory)
  const [place] = await ctx.sql<{ name: string }>`select name from container
    where tenant_id = ${ctx.caller.tenantId} and id = ${ticket.containerId}`
  const { score, comment } = ticket.satisfaction ?? {}
  return {
    key: ticket.key,
    ...Object.fromEntries(visible),
    created: ticket.created,
    desk: place?.name ?? '',
    clock: (await promisesTo(ctx, [ticket.id])).get(ticket.id) ?? [],
    satisfaction: score ? { score, comment: comment ?? '' } : null,
    can: { close: !closed, reopen: closed && (await canReopen(ctx, ticket)), rate: canRate(ticket) },
    messages: await messagesOf(ctx, ticket.id),
    expiresAt,
  }
}

interface MessageRow {
  id: Id
  at: string
  kind: number
  body: string
  bodyFormat: string
  author: string
  attachments: GuestFile[]
}

const maxMessages = 500

async function messagesOf(ctx: Context, itemId: Id): Promise<GuestMessage[]> {
  const rows = await ctx.sql<MessageRow>`
    select a.id, ${instantText(raw('a.created'))} as at, a.kind, a.body, a.body_format as "bodyFormat",
      coalesce(nullif(u.name, ''), a.mail -> 'headers' -> 'from' ->> 'name', '') as author,
      (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'size', f.size) order by f.name, f.id), '[]') from file f
        where f.tenant_id = ${ownTenant} and f.id = any(a.attachments) and not f.deleted) as attachments
    from annotation a left join "user" u on u.tenant_id = ${ownTenant} and u.id = a.author_id
    where a.tenant_id = ${ctx.caller.tenantId} and a.item_id = ${itemId} and ${isShownToGuests(raw('a'))}
    order by a.created desc, a.id desc limit ${maxMessages}`
  const articles = await linkedArticles(
    ctx,
    rows.map(({ body }) => body),
  )
  return rows.reverse().map(({ id, at, kind, author, attachments, ...content }) => ({
    id,
    at,
    author,
    own: kind === annotationKind.message,
    html: withArticlePages(ctx, htmlOf(content), articles),
    files: attachments.map(({ name }) => name),
    attachments,
    articles: articlesIn(content.body, articles),
  }))
}

/** Restricts annotations to the conversation that a guest reads. */
export function isShownToGuests(annotation: Sql): Sql {
  return sql`(not ${annotation}.deleted and ${annotation}.restricted_to = '{}' and ${annotation}.kind = any(${publicKinds}::int[]))`
}

const publicKinds = Object.values(annotationKind).filter(isPublic)
