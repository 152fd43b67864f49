import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { documentState } from '../document-state.ts'
import { bodyHtml } from '../export/export-html.ts'
import { visibleDocument } from '../visibility.ts'

// An article of the knowledge base is a public document in use. Everything that shows articles uses this one condition, so that a draft,
// an internal, a restricted and a deleted document exist for nobody as an article.

const d = raw('d')

/** Restricts documents to the articles that the caller may read. */
export function isArticle(caller: Caller, document: Sql): Sql {
  return and([
    sql`${document}.state = ${raw(String(documentState.public))} and not ${document}.deleted and not ${document}.archived and not ${document}.template`,
    visibleDocument(caller, document),
  ])
}

export interface Article {
  id: Id
  title: string
  /** Sanitised, so that it is safe to show. */
  html: string
  updated: string
}

/** Reads an article; undefined if there is none for the caller, whatever the reason is. */
export async function findArticle(ctx: Context, id: string): Promise<Article | undefined> {
  if (!isId(id)) return undefined
  const { tenantId } = ctx.caller
  const [found] = await ctx.sql<{ id: Id; title: string; body: string; format: string; updated: string }>`
    select d.id, d.name as title, c.body, c.format, ${instantText(sql`greatest(d.updated, c.updated)`)} as updated
    from document d join document_content c on c.tenant_id = ${tenantId} and c.id = d.id
    where d.tenant_id = ${tenantId} and d.id = ${id} and ${isArticle(ctx.caller, d)}`
  if (!found) return undefined
  const { body, format, ...article } = found
  return { ...article, html: await bodyHtml({ body, format }) }
}
