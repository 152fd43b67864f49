import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { nothing, ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import { noteWords, vector } from '../language/search/search.ts'
import { closedCategories } from './status.ts'

// The search index of items: their words, and their assignees; new words also go to the lexicon. It is written in the
// transaction that writes the item, so that a search directly afterwards finds it.

/** A custom value that contains text. */
interface Worded {
  item_id?: unknown
  text_value?: unknown
}

/** CTEs for the statement that inserts items (`made`); they read `made`, because a statement does not see its own inserts. */
export function indexMade(values: readonly Worded[], assigned: boolean): Sql {
  const worded = values.filter(each => typeof each.text_value === 'string')
  const words =
    worded.length === 0
      ? sql`select m.tenant_id, m.id, ${vector(named(raw('m')), raw('m.description'))} from made m`
      : sql`select m.tenant_id, m.id, ${vector(named(raw('m')), raw('m.description'), raw('x.words'))} from made m left join (
          select x.id, string_agg(x.words, ' ') as words from unnest(${worded.map(each => each.item_id)}::uuid[], ${worded.map(each => each.text_value)}::text[]) x(id, words) group by x.id) x on x.id = m.id`
  const lexicon = sql`, lexicon as (
      insert into search_word (tenant_id, word) select ${ownTenant}::uuid, d.word from (select distinct w.word from words, lexicon_words(words.tsv) w(word)) d
      where not exists (select 1 from search_word w where w.tenant_id = ${ownTenant} and w.word = d.word) returning 1)`
  const turns = sql`, turns as (
      insert into item_assignee (tenant_id, user_id, item_id, open) select distinct m.tenant_id, u, m.id, m.status_category not in ${closedCategories} from made m, unnest(m.assignees) u returning 1)`
  return sql`, words as (insert into item_search (tenant_id, id, tsv) ${words} returning tsv)${lexicon}${assigned ? turns : nothing}`
}

const named = (t: Sql) =>
  sql`${t}.key || ' ' || ${t}.title || label_words(${t}.labels) || age_word(${t}.id) || long_word(${t}.description)`

/** Rebuilds the index entries of items. */
export async function reindexItems(ctx: Context, ids: readonly Id[]): Promise<void> {
  if (ids.length > 0) await ctx.sql`select index_items(${ctx.caller.tenantId}, ${ids}::uuid[])`
}

/** Writes the index entry of an annotation, in the transaction that writes the annotation. */
export async function indexAnnotation(ctx: Context, { id, body }: { id: Id; body: string }): Promise<void> {
  await ctx.sql`insert into annotation_search (tenant_id, id, tsv)
    values (${ctx.caller.tenantId}, ${id}, ${vector(raw(`''`), sql`${body}`)})
    on conflict (tenant_id, id) do update set tsv = excluded.tsv`
  noteWords(ctx, [body])
}
