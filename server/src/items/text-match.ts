import { hiddenAnywhere, hidesAnyField, hidesSomewhere } from '../identity/field-limit/hidden-fields.ts'
import type { Caller } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { isId } from '../kernel/id.ts'
import { ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import {
  type Frequency,
  frequencyOf,
  type Neighbours,
  noNeighbours,
  parseSearchQuery,
  type SearchQuery,
  similarWords,
  tsquery,
} from '../language/search/search.ts'

/** A parsed search text with all that is needed to match it. */
export interface Matching {
  question: SearchQuery
  near: Neighbours
  /** How many items contain the words. Rare words are searched by the index; frequent ones are checked on each candidate item. */
  frequency: Frequency
}

/** Parses a search text, finds similar words and labels of the tenant, and estimates how many items match. */
export async function matching(ctx: Context, text: string, doubt = false): Promise<Matching> {
  const question = parseSearchQuery(text)
  if (question.length === 0) return { question, near: noNeighbours, frequency: 'rare' }
  const near = joined(await similarWords(ctx, question, doubt), await labelsCalled(ctx, question))
  return { question, near, frequency: await frequencyOf(ctx, 'item_search', tsquery(question, near)) }
}

/** Parses a search text without database queries, to match single items. */
export function plainMatching(text: string): Matching {
  return { question: parseSearchQuery(text), near: noNeighbours, frequency: 'frequent' }
}

/** The part of an item that must contain the words. */
export type MatchTerm = 'title' | 'description' | 'all'

/** The condition that item `t` contains the words. */
export function matches(caller: Caller, { question, near, frequency }: Matching, part: MatchTerm = 'all'): Sql {
  const { tenantId } = caller
  const whole = tsquery(question, near)
  const seen = wordsSeen(caller, raw('s.tsv'))
  const inPart = part === 'description' ? sql`ts_filter(s.tsv, '{b}') @@ ${whole}` : sql`${seen} @@ ${whole}`
  // For a part of an item the index can only pre-select: a word that must be absent there may be in another part.
  const isWhole = part === 'all' && seen === raw('s.tsv')
  const hint = isWhole ? whole : tsquery(question, near, true)
  const found = sql`select item_search_ids(${hint}, null)`
  const condition =
    frequency !== 'frequent'
      ? sql`t.id = any(array(${isWhole || part === 'title' ? found : sql`select s.id from item_search s where s.tenant_id = ${tenantId} and s.id in (${found}) and ${inPart}`}))`
      : sql`(select ${part === 'title' ? sql`s.tsv @@ ${hint}` : inPart} from item_search s where s.tenant_id = ${ownTenant} and s.id = t.id)`
  return part === 'title' ? sql`(${condition} and search_vector(t.title, '', '') @@ ${whole})` : condition
}

/** The indexed words without those of hidden fields, so that callers cannot find items by fields that they may not see. */
export function wordsSeen(caller: Caller, tsv: Sql): Sql {
  if (!hidesAnyField(caller)) return tsv
  const description = !hidesSomewhere(caller, 'Item', 'description')
  const custom = [...hiddenAnywhere(caller)].every(each => !isId(each))
  return description && custom
    ? tsv
    : sql`ts_filter(${tsv}, ${raw(`'{a${description ? ',b' : ''}${custom ? ',c' : ''}}'`)})`
}

/** The index contains labels by id, so this finds the ids of the labels with these names or aliases. */
async function labelsCalled(ctx: Context, question: SearchQuery): Promise<Neighbours> {
  const terms = question.flat().filter(term => !term.not)
  const names = terms.map(term => term.words.join(' '))
  const rows = await ctx.sql<{ term: string; word: string }>`
    select distinct g.term, 'l' || replace(n.label_id::text, '-', '') as word
    from (select n.label_id, ' ' || searched(n.key) || ' ' as name from label_name n where n.tenant_id = ${ctx.caller.tenantId}) n
    join unnest(${names}::text[], ${terms.map(term => term.open)}::boolean[]) g(term, open)
      on strpos(n.name, ' ' || g.term || case when g.open then '' else ' ' end) > 0
    limit 200`
  return new Map([...Map.groupBy(rows, row => row.term)].map(([term, group]) => [term, group.map(each => each.word)]))
}

function joined(a: Neighbours, b: Neighbours): Neighbours {
  if (a.size === 0 || b.size === 0) return a.size === 0 ? b : a
  return new Map(
    [...new Set([...a.keys(), ...b.keys()])].map(key => [key, [...(a.get(key) ?? []), ...(b.get(key) ?? [])]]),
  )
}
