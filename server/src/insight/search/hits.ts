import { hidesAnyField, hidesSomewhere } from '../../identity/field-limit/hidden-fields.ts'
import { type Matching, wordsSeen } from '../../items/text-match.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { name, nothing, raw, type Sql, sql } from '../../kernel/sql.ts'
import { frequencyOf, tsquery } from '../../language/search/search.ts'
import type { SearchedKind, SearchHit } from './searched-kinds.ts'

/** The end of the previous page, and the time for which its ranking was computed. */
export interface SearchPosition {
  at: Date
  after?: { score: number; id: Id } | undefined
}

// Limits of a search. A rare word is found completely through the word index. A frequent word would match hundreds of
// thousands of records: then the newest records that the caller sees are tested one by one until enough match. The
// limits are literals, so that PostgreSQL knows them when it plans.
const maxFound = 20_000
const maxWalked = raw('30000')
/** The number of newest matches that are ranked for a page: five times the page size, at least a hundred. */
const enoughFor = (limit: number) => raw(String(Math.max(100, 5 * limit)))
const maxRanked = 500

/** A word in a title weighs ten times as much as elsewhere; a change of today counts twice as much as an old one. */
const weights = "'{0.02, 0.05, 0.1, 1}'"
const halfLife = 90 * 86_400

interface HitQuery {
  containers: readonly Id[]
  /** Includes archived records. */
  archived: boolean
  /** A condition that matches a record (`t`) regardless of its words. */
  named: Sql | undefined
  limit: number
  place: SearchPosition
  /** The items that are found by their names already. */
  except: readonly Id[]
  /** A condition on the word index (`s`) that leaves out words the caller may not see. */
  known?: Sql
}

/** The best hits of one kind that the caller sees, matched only by words that the caller may see. */
export async function hitsOf(
  ctx: Context,
  kind: SearchedKind,
  asked: Matching,
  wanted: HitQuery,
): Promise<SearchHit[]> {
  if (kind.entity !== 'Item' || !hidesAnyField(ctx.caller)) return await search(ctx, kind, asked, wanted)
  const known = sql`${wordsSeen(ctx.caller, raw('s.tsv'))} @@ ${tsquery(asked.question, asked.near)}`
  const found = await search(ctx, kind, asked, { ...wanted, known })
  return redactedBody(ctx, found)
}

/** The hits without the descriptions of items, from which snippets are made, if the caller may not see them. */
export function redactedBody({ caller }: Context, found: SearchHit[]): SearchHit[] {
  return hidesSomewhere(caller, 'Item', 'description') ? found.map(each => ({ ...each, body: '' })) : found
}

async function search(
  ctx: Context,
  kind: SearchedKind,
  { question, near, frequency: ofItems }: Matching,
  wanted: HitQuery,
): Promise<SearchHit[]> {
  // Excluded words are tested against all words, including those that are not searched.
  const query = tsquery(question, near, wanted.known !== undefined)
  const frequency = kind.entity === 'Item' ? ofItems : await frequencyOf(ctx, kind.words, query)
  if (frequency === 'frequent') return await best(ctx, kind, query, wanted, { rows: newestMatching(ctx, kind, wanted) })
  for (const ages of kind.aged && frequency === 'middling' ? await recentAges(ctx, kind) : []) {
    const found = await best(ctx, kind, query, wanted, throughIndex(ctx, kind, wanted, ages))
    // These are enough to rank and to fill the page: older records would be ranked lower.
    if (found.length === wanted.limit && (found[0]?.matching ?? 0) >= maxRanked / 2) return found
  }
  const few = await firstIds(ctx, kind, query)
  if (few.length === 0 && !wanted.named) return []
  if (few.length <= maxRanked)
    return await best(ctx, kind, query, wanted, { rows: among(ctx, kind, wanted, sql`${few}::uuid[]`) })
  const found = await best(ctx, kind, query, wanted, throughIndex(ctx, kind, wanted))
  // The index returns the oldest records first: where it has too many, the newest would be missing.
  const tooMany = found.length === 0 || (found[0]?.matching ?? 0) >= maxFound
  return tooMany ? await best(ctx, kind, query, wanted, { rows: newestMatching(ctx, kind, wanted) }) : found
}

/** All matches of the word index, or those of these ages. */
function throughIndex(ctx: Context, kind: SearchedKind, wanted: HitQuery, ages?: string) {
  const asked = ages ? sql`((select q from asked) && ${ages}::tsquery)` : sql`(select q from asked)`
  const matching = sql`matching as materialized (select ids.id from ${idsOf(kind, asked, maxFound)} ids(id)),`
  return { rows: among(ctx, kind, wanted, raw('array(select id from matching)')), matching }
}

/** The ids of the tenant's records that match, found by the index of full text, which only this function may use. */
function idsOf({ words }: SearchedKind, query: Sql, most: number): Sql {
  return sql`${name(`${words}_ids`)}(${query}, ${raw(String(most))})`
}

/**
 * Queries for the last two ages of the tenant’s records, and for the last eight; see `age_word` in the migrations.
 * Empty if the records are no older than that.
 */
async function recentAges(ctx: Context, { words }: SearchedKind): Promise<string[]> {
  const own = sql`from ${name(words)} s where s.tenant_id = ${ctx.caller.tenantId} order by s.id`
  const [ends] = await ctx.sql<{
    first: Id | null
    last: Id | null
  }>`select (select s.id ${own} limit 1) as first, (select s.id ${own} desc limit 1) as last`
  if (!ends?.first || !ends.last) return []
  const [oldest, newest] = [ageOf(ends.first), ageOf(ends.last)]
  return [2, 8]
    .filter(count => newest - oldest >= count)
    .map(count => Array.from({ length: count }, (_, i) => `'age${String(newest - i).padStart(9, '0')}'`).join(' | '))
}

function ageOf(id: Id): number {
  return Math.floor(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) / 2 ** 31)
}

/** The matches in the word index, if they are few: most words match a few records, and none of most kinds. */
async function firstIds(ctx: Context, kind: SearchedKind, query: Sql): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`select ids.id from ${idsOf(kind, query, maxRanked + 1)} ids(id)`
  return rows.map(row => row.id)
}

function seen(ctx: Context, kind: SearchedKind, { containers, archived, except }: HitQuery): Sql {
  const others = except.length > 0 && kind.entity === 'Item' ? sql`and t.id <> all(${except}::uuid[])` : nothing
  const within = containers.length > 0 ? sql`and ${kind.within(sql`${containers}::uuid[]`)}` : raw('')
  return sql`t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${kind.visible(ctx.caller)} ${within} ${!archived && kind.current ? sql`and ${kind.current}` : nothing} ${others}`
}

/** Those of these records that the caller sees, newest first. */
function among(ctx: Context, kind: SearchedKind, wanted: HitQuery, ids: Sql): Sql {
  const named = wanted.named ? sql`or ${wanted.named}` : nothing
  const known = wanted.known ? sql`and ${wanted.known}` : nothing
  return sql`select t.id, t.updated, s.tsv
    from ${name(kind.table)} t join ${name(kind.words)} s on s.tenant_id = ${ctx.caller.tenantId} and s.id = t.id
    where ${seen(ctx, kind, wanted)} and (t.id = any(${ids}) ${known} ${named})
    order by t.id desc limit ${raw(String(maxRanked))}`
}

/** The records that the caller sees, newest first, until enough of them match. */
function newestMatching(ctx: Context, kind: SearchedKind, wanted: HitQuery): Sql {
  return sql`select t.id, t.updated, s.tsv
    from (select t.id, t.updated from ${name(kind.table)} t where ${seen(ctx, kind, wanted)} order by t.id desc limit ${maxWalked}) t
    cross join lateral (select s.tsv from ${name(kind.words)} s
      where s.tenant_id = ${ctx.caller.tenantId} and s.id = t.id and s.tsv @@ (select q from asked) ${wanted.known ? sql`and ${wanted.known}` : nothing} offset 0) s
    limit ${enoughFor(wanted.limit)}`
}

async function best(
  ctx: Context,
  kind: SearchedKind,
  query: Sql,
  { named, limit, place }: HitQuery,
  found: { rows: Sql; matching?: Sql },
): Promise<SearchHit[]> {
  const { tenantId } = ctx.caller
  const { after, at } = place
  const boost = named ? sql`+ case when ${named} then 10 else 0 end` : raw('')
  return await ctx.sql<SearchHit>`
    with asked as materialized (select ${query} as q),
    ${found.matching ?? raw('')} found as materialized (${found.rows}),
    ranked as (
      select t.id, (ts_rank(${raw(weights)}, t.tsv, (select q from asked), 1) ${boost})
        * (1 + exp(-0.693 * greatest(0, extract(epoch from ${at}::timestamptz - t.updated)::float8) / ${raw(String(halfLife))})) as score
      from found t
    ), best as (
      select r.id, r.score from ranked r ${after ? sql`where (r.score, r.id) < (${after.score}::float8, ${after.id}::uuid)` : raw('')}
      order by r.score desc, r.id desc limit ${limit}
    )
    select t.id, ${kind.hit.columns}, ${instantText(sql`t.updated`)} as updated, b.score${found.matching ? raw(', (select count(*)::int from matching) as matching') : raw('')}
    from best b join ${name(kind.table)} t on t.tenant_id = ${tenantId} and t.id = b.id ${kind.hit.from}
    order by b.score desc, b.id desc`
}
