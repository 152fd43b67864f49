import { annotationKind, isPublic } from '../../desk/annotation/annotation.ts'
import { documents } from '../../documents/document/document.ts'
import { documentPermissions } from '../../documents/visibility.ts'
import { narrowedTo, staff } from '../../kernel/access.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'

const count = (description: string): Schema => ({ type: 'integer', description })
const properties: Record<string, Schema> = {
  suggested: count('To how many it was suggested while they wrote a request.'),
  views: count('How many opened it, each counted once.'),
  helped: count('How many of them said that it helped.'),
  notHelped: count('How many of them said that it did not.'),
  ticketsAvoided: count('How many said so after it was suggested for a request, and filed none.'),
  usedInReplies: count('How many public replies link to it.'),
}

/** How long after a suggestion a ticket of the same requester counts as filed in spite of it. */
const filedWithin = raw("interval '1 day'")

/**
 * Whether a reading `r` of suggestion `s` avoided a ticket: articles were suggested for a request, this is the first of those that helped,
 * and no ticket was filed.
 */
export const avoidedTicket: Sql = sql`(r.helped is true and r.opened_at is not null and s.asked and not s.filed
  and not exists (select 1 from article_reading o where o.tenant_id = ${ownTenant} and o.suggestion_id = r.suggestion_id and o.helped
    and (o.opened_at, o.document_id) < (r.opened_at, r.document_id))
  and not exists (select 1 from item i where i.tenant_id = ${ownTenant} and i.requester_id = s.user_id and i.created >= s.begun and i.created < s.begun + ${filedWithin}))`

const repliesOfStaff = Object.values(annotationKind).filter(each => isPublic(each) && each !== annotationKind.message)

/** Whether an annotation `a` that links to an article tells a requester of it. */
export const tellsRequester: Sql = sql`(not a.deleted and a.restricted_to = '{}' and a.kind = any(${repliesOfStaff}::int[]))`

const readUsage = operation({
  permission: narrowedTo(staff, documentPermissions.read),
  mode: 'read',
  summary: 'Get how a document is used as an article',
  description:
    'What readers of the knowledge base did with a document, and how often replies link to it, since it exists. `POST /api/insight/report/knowledge` has the same by period.',
  reply: {
    status: 200,
    schema: { type: 'object', title: 'ArticleUsage', properties, required: Object.keys(properties) },
    description: 'The counts.',
  },
  refusals: [404],
  async run(ctx, { params }) {
    const { id } = await documents.get(ctx, params.id ?? '')
    const { tenantId } = ctx.caller
    const [body] =
      await ctx.sql`select count(*) filter (where s.asked)::int as suggested, count(r.opened_at)::int as views,
        count(*) filter (where r.helped)::int as helped, count(*) filter (where not r.helped)::int as "notHelped",
        count(*) filter (where ${avoidedTicket})::int as "ticketsAvoided",
        (select count(*)::int from annotation_link l join annotation a on a.tenant_id = ${tenantId} and a.id = l.annotation_id
          where l.tenant_id = ${tenantId} and l.document_id = ${id} and ${tellsRequester}) as "usedInReplies"
      from article_reading r join suggestion s on s.tenant_id = ${tenantId} and s.id = r.suggestion_id
      where r.tenant_id = ${tenantId} and r.document_id = ${id}`
    return { body }
  },
})

export const routes: Routes = { 'GET /docs/doc/:id/usage': readUsage }
