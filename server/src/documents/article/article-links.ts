import { hasOpenDesk, visitorCaller } from '../../identity/visitor.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import { linkTargets } from '../document/link-targets.ts'
import { visibleDocument } from '../visibility.ts'
import { isArticle } from './article.ts'

// A reply links to an article by the address of its document, like the texts of documents do, or by that of its page on the portal. Whoever
// reads the reply without an account is led to the page.

const documentsIn = (text: string): Id[] => linkTargets(text).filter(isId)

/** An article with the address of its page on the portal. */
export interface ArticleLink {
  id: Id
  title: string
  url: string
}

/** Stores which documents the text of an annotation links to. */
export async function storeArticleLinks(
  ctx: Context,
  { id, body, created }: { id: Id; body: string; created: string },
): Promise<void> {
  const { tenantId } = ctx.caller
  const linked = documentsIn(body)
  await ctx.sql`delete from annotation_link where tenant_id = ${tenantId} and annotation_id = ${id} and document_id <> all(${linked}::uuid[])`
  if (linked.length > 0)
    await ctx.sql`insert into annotation_link (tenant_id, annotation_id, document_id, at)
      select ${tenantId}, ${id}, d.id, ${created}::timestamptz from document d where d.tenant_id = ${tenantId} and d.id = any(${linked}::uuid[])
      on conflict do nothing returning 1`
}

/** The articles that texts link to, as far as visitors can open them; none if the tenant has no portal for visitors. */
export async function linkedArticles(ctx: Context, texts: readonly string[]): Promise<Map<Id, ArticleLink>> {
  const linked = [...new Set(texts.flatMap(documentsIn))]
  if (linked.length === 0 || !(await hasOpenDesk(ctx))) return new Map()
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ id: Id; title: string; slug: string }>`select d.id, d.name as title, t.slug
    from document d join tenant t on t.tenant_id = ${tenantId} and t.id = ${tenantId}
    where d.tenant_id = ${tenantId} and d.id = any(${linked}::uuid[]) and ${isArticle(await visitorCaller(ctx), raw('d'))}`
  const { baseUrl } = ctx.services
  return new Map(rows.map(({ id, title, slug }) => [id, { id, title, url: `${baseUrl}/portal/${slug}/article/${id}` }]))
}

/** Those of the articles that this text links to, in its order. */
export function articlesIn(text: string, articles: ReadonlyMap<Id, ArticleLink>): ArticleLink[] {
  return documentsIn(text).flatMap(id => articles.get(id) ?? [])
}

const documentAddress = /(?<![\w./:-])(https?:\/\/[\w.:[\]-]+(?:\/[\w.-]+)*?)?\/doc\/([0-9a-f-]{36})(?![0-9a-f-])/gi

/** Replaces the addresses of documents in a text, or in sanitised HTML, by those of the pages of the articles. */
export function withArticlePages(ctx: Context, text: string, articles: ReadonlyMap<Id, ArticleLink>): string {
  if (articles.size === 0) return text
  return text.replace(documentAddress, (address: string, at: string | undefined, id: string) =>
    at === undefined || at === ctx.services.baseUrl ? (articles.get(id.toLowerCase())?.url ?? address) : address,
  )
}

const maxWarnings = 10

/** Warns about documents that a public reply links to and that its readers cannot open. */
export async function articleWarnings(ctx: Context, body: string): Promise<string[]> {
  const linked = documentsIn(body).slice(0, maxWarnings)
  if (linked.length === 0) return []
  const { tenantId } = ctx.caller
  const d = raw('d')
  const rows = await ctx.sql<{
    id: Id
    name: string
    open: boolean
  }>`select d.id, d.name, ${isArticle(await visitorCaller(ctx), d)} as open
    from document d where d.tenant_id = ${tenantId} and d.id = any(${linked}::uuid[]) and not d.deleted and ${visibleDocument(ctx.caller, d)}`
  const isOpen = rows.some(({ open }) => open) && (await hasOpenDesk(ctx))
  return linked.flatMap(id => {
    const found = rows.find(each => each.id === id)
    if (!found) return [`the reply links to ${id}, and there is no such document`]
    if (!found.open) return [`the requester cannot open “${found.name}”, to which the reply links: it is not public`]
    return isOpen
      ? []
      : [`without an account nobody can open “${found.name}”, to which the reply links: no desk is open to visitors`]
  })
}
