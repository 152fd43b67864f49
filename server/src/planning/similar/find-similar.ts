import { type Item, items } from '../../items/item/item.ts'
import { closedCategories } from '../../items/status.ts'
import { wordsSeen } from '../../items/text-match.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { nothing, raw, type Sql, sql } from '../../kernel/sql.ts'
import { wordFrequencies } from '../../language/search/word-frequency.ts'
import { chooseWords, textWords } from './text-words.ts'

interface SimilarQuery {
  title: string
  description?: string | undefined
  containerId?: Id | undefined
  processId?: Id | undefined
  limit: number
  /** The item that the text belongs to. */
  except?: Id | undefined
}

/** An item that resembles a text, by how much from 0 to 1, and the words that both have. */
interface SimilarItem {
  score: number
  words: string[]
  item: Item
}

// Limits of a comparison. They are literals, so that PostgreSQL knows them when it plans.
const maxOfTwoWords = raw('200')
const maxOfOneWord = raw('50')
const [maxWalked, maxNewest] = [raw('1000'), raw('300')]
const maxRequested = raw('100')
/** Steps of 25 days (`age_word` in the migrations) in which items with one of the words are looked for first. */
const recentAges = 8
/** A word in the description of an item counts less than in its title. */
const inDescription = raw('0.6')
/** With less in common, two texts are about different things. */
const minScore = raw('0.15')
/** Who describes a problem again looks for the items that were closed in this time as well as for open ones. */
const recentlyClosed = raw(`interval '30 days'`)

/**
 * Finds the items that resemble a text. The rarest words of the text find them by the index of words, those with two of the
 * words first. The newest items and those that the caller asked for are compared, too, because all words of a text may be frequent.
 *
 * A word counts by how few of the newest items have it that the caller sees: the frequency among all items would tell which
 * words occur in items that the caller does not see.
 */
export async function findSimilar(ctx: Context, asked: SimilarQuery): Promise<SimilarItem[]> {
  const words = textWords(asked.title, asked.description ?? '')
  if (words.length === 0) return []
  const frequencies = await wordFrequencies(
    ctx,
    'item_search',
    words.map(each => each.word),
  )
  const { compared, finders } = chooseWords(words, frequencies)
  const { tenantId, userId } = ctx.caller
  const place = sql`t.tenant_id = ${tenantId} and not t.deleted ${asked.containerId ? sql`and t.container_id = ${asked.containerId}` : nothing}`
  const seen = sql`not t.archived and ${items.visible(ctx.caller, raw('t'))}`
  const tsv = wordsSeen(ctx.caller, raw('s.tsv'))
  const rows = await ctx.sql<{ score: number; words: string[]; json: string }>`
    with finder as materialized (
      select search_term(w.word, false) as q, w.n from unnest(${finders}::text[]) with ordinality w(word, n)
    ), newest as materialized (
      select t.id from (select t.* from item t where ${place} order by t.id desc limit ${maxWalked}) t where ${seen} limit ${maxNewest}
    ), candidate as materialized (
      ${candidates(ctx)} union select id from newest union (select t.id from item t where ${place} and t.requester_id = ${userId} order by t.id desc limit ${maxRequested})
    ), seen as materialized (
      select t.id, t.updated, t.status_category not in ${closedCategories} or coalesce(t.closed_at > ${ctx.now}::timestamptz - ${recentlyClosed}, false) as current,
        ${tsv} as tsv, ts_filter(s.tsv, '{a}') as named
      from item t join item_search s on s.tenant_id = ${tenantId} and s.id = t.id
      where ${place} and ${seen} and t.id = any(array(select id from candidate))
        ${asked.processId ? sql`and t.process_id = ${asked.processId}` : nothing}
        ${asked.except ? sql`and t.id <> ${asked.except}` : nothing}
    ), asked as materialized (
      select w.word, w.in_title, search_term(w.word, false) as q
      from unnest(${compared.map(each => each.word)}::text[], ${compared.map(each => each.inTitle)}::boolean[]) w(word, in_title)
    ), shared as materialized (
      select s.id, a.word, s.named @@ a.q as named from seen s join asked a on s.tsv @@ a.q
    ), word as materialized (
      select a.word, (case when a.in_title then 2 else 1 end) * ln(1 + (1 + (select count(*) from newest)) / (1 + count(n.id))::float8) as weight
      from asked a left join shared m on m.word = a.word left join newest n on n.id = m.id group by a.word, a.in_title
    ), scored as (
      select m.id, array_agg(m.word order by w.weight desc, m.word) as words,
        sum(w.weight * case when m.named then 1 else ${inDescription} end) / (select sum(w.weight) from word w) as score
      from shared m join word w on w.word = m.word group by m.id
    ), best as (
      select s.id, s.current, s.updated, c.words, round(c.score::numeric, 2) as score
      from scored c join seen s on s.id = c.id where c.score >= ${minScore}
      order by score desc, s.current desc, s.updated desc, s.id desc limit ${asked.limit}
    )
    select b.score::float8 as score, b.words, ${await items.jsonFor(ctx, raw('t'))} as json
    from best b join item t on t.tenant_id = ${tenantId} and t.id = b.id
    order by b.score desc, b.current desc, b.updated desc, b.id desc`
  return rows.map(({ json, ...found }) => ({ ...found, item: JSON.parse(json) }))
}

/** The ids that the index of words has for the finders: of two of them, of one among recent items, and of one. */
function candidates(ctx: Context): Sql {
  const now = Math.floor(ctx.now.getTime() / 2 ** 31)
  const ages = Array.from({ length: recentAges }, (_, i) => `'age${String(now - i).padStart(9, '0')}'`).join(' | ')
  const pairs = sql`(select string_agg('(' || a.q::text || ') & (' || b.q::text || ')', ' | ')::tsquery from finder a join finder b on a.n < b.n)`
  return sql`select ids.id from item_search_ids(${pairs}, ${maxOfTwoWords}) ids(id)
      union select ids.id from finder f cross join lateral item_search_ids(f.q && ${ages}::tsquery, ${maxOfOneWord}) ids(id)
      union select ids.id from finder f cross join lateral item_search_ids(f.q, ${maxOfOneWord}) ids(id)`
}
