import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import { isCommonWord } from '../../language/search/common-words.ts'
import { snippet } from '../../language/search/search.ts'
import { wordsOf } from '../../language/search/tokenizer.ts'
import { isArticle } from './article.ts'

interface SuggestedArticle {
  id: Id
  title: string
  /** HTML: escaped text, with `<mark>` around what was found. */
  snippet: string
}

const maxWords = 20
/** Of one word, as many records are looked at: a word of more says little about any of them. */
const maxFound = raw('1000')
const maxBody = raw('20000')

/** The words that say what a request is about, those of its title first. */
export function tellingWords(title: string, description: string): string[] {
  const all = wordsOf(`${title.slice(0, 500)} ${description.slice(0, 4000)}`)
  return [...new Set(all.filter(each => each.length >= 2 && each.length <= 60 && !isCommonWord(each)))].slice(
    0,
    maxWords,
  )
}

/**
 * The articles that fit a request best. Each word is looked up in the index of documents; a rare word counts more than a frequent one,
 * and one in the title of an article more than one in its text.
 */
export async function suggestArticles(
  ctx: Context,
  { title, description }: { title: string; description: string },
  limit: number,
): Promise<SuggestedArticle[]> {
  const words = tellingWords(title, description)
  if (words.length === 0) return []
  const { tenantId } = ctx.caller
  const found = await ctx.sql<{ id: Id; title: string; body: string }>`
    with found as materialized (
      select w.word, ids.id, count(*) over (partition by w.word) as records
      from unnest(${words}::text[]) w(word) cross join lateral document_search_ids(search_term(w.word, false), ${maxFound}) ids(id)
    )
    select d.id, d.name as title, left(c.body, ${maxBody}) as body
    from found f join document d on d.tenant_id = ${tenantId} and d.id = f.id
      join document_content c on c.tenant_id = ${tenantId} and c.id = d.id
    where ${isArticle(ctx.caller, raw('d'))}
    group by d.id, d.name, c.body
    order by sum((case when search_vector(d.name, '', '') @@ search_term(f.word, false) then 3 else 1 end) / ln(2 + f.records)) desc, d.id desc
    limit ${limit}`
  const telling = new Set(words)
  return found.map(({ id, title: name, body }) => ({
    id,
    title: name,
    snippet: snippet(body, word => telling.has(word)),
  }))
}
