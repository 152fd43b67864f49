import { hides, hidesAnyField } from '../identity/hidden-fields.ts'
import type { Caller } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { isId } from '../kernel/id.ts'
import { raw, type Sql, sql } from '../kernel/sql.ts'
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

/** A question about the words of items, and which way leads to its answer. */
export interface Matching {
  question: SearchQuery
  near: Neighbours
  /** How many items have these words. Where they are not frequent, the index finds them; else each item that is looked at anyway is asked. */
  frequency: Frequency
}

/** Understands a question: what its words mean here, and how many items have them. */
export async function matching(ctx: Context, text: string, doubt = false): Promise<Matching> {
  const question = parseSearchQuery(text)
  if (question.length === 0) return { question, near: noNeighbours, frequency: 'rare' }
  const near = joined(await similarWords(ctx, question, doubt), await labelsCalled(ctx, question))
  return { question, near, frequency: await frequencyOf(ctx, 'item_search', tsquery(question, near)) }
}

/** The same at once, without asking what the words mean here: for one item that is at hand. */
export function plainMatching(text: string): Matching {
  return { question: parseSearchQuery(text), near: noNeighbours, frequency: 'frequent' }
}

/** Which part of an item has the words. */
export type MatchTerm = 'title' | 'description' | 'all'

/** The items (`t`) that have the words. */
export function matches(caller: Caller, { question, near, frequency }: Matching, part: MatchTerm = 'all'): Sql {
  const { tenantId } = caller
  const whole = tsquery(question, near)
  const seen = wordsSeen(caller, raw('s.tsv'))
  const inPart = part === 'description' ? sql`ts_filter(s.tsv, '{b}') @@ ${whole}` : sql`${seen} @@ ${whole}`
  // What must not be there may well be in another part.
  const isWhole = part === 'all' && seen === raw('s.tsv')
  const hint = isWhole ? inPart : sql`s.tsv @@ ${tsquery(question, near, true)}`
  const found =
    frequency !== 'frequent'
      ? sql`t.id = any(array(select s.id from item_search s where s.tenant_id = ${tenantId} and ${hint}${isWhole || part === 'title' ? raw('') : sql` and ${inPart}`}))`
      : sql`(select ${part === 'title' ? hint : inPart} from item_search s where s.tenant_id = t.tenant_id and s.id = t.id)`
  return part === 'title' ? sql`(${found} and search_vector(t.title, '', '') @@ ${whole})` : found
}

/** Those of an item's words that the caller may know: who must not see a field does not find by it either. */
export function wordsSeen(caller: Caller, tsv: Sql): Sql {
  if (!hidesAnyField(caller)) return tsv
  const description = !hides(caller, 'Item', 'description')
  const custom = [...caller.authority.hiddenFields].every(each => !isId(each))
  return description && custom
    ? tsv
    : sql`ts_filter(${tsv}, ${raw(`'{a${description ? ',b' : ''}${custom ? ',c' : ''}}'`)})`
}

/** Labels stand in the words of an item by their ids: which ids those names have now, aliases included. */
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
