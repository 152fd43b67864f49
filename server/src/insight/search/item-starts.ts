import { visibleItems } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { nothing, raw, type Sql, sql } from '../../kernel/sql.ts'
import { wordsOf } from '../../language/search/tokenizer.ts'
import type { SearchPosition } from './hits.ts'
import { recency, tiers } from './name-hits.ts'
import { type SearchHit, searchedKinds } from './searched-kinds.ts'

/** A word with fewer letters is looked for at the beginnings of words in titles only, not in texts. */
const shortest = 3
/** The most titles that begin alike and are looked at: of more of them none is better than another. */
const maxStarts = 1000
/** The newest items that are looked at for a short word. */
const maxWalked = raw('10000')
const maxFound = raw('500')

interface StartQuery {
  q: string
  containers: readonly Id[]
  archived: boolean
  limit: number
  place: SearchPosition
}

/**
 * The ids of the items that are called what was typed: by their key or its beginning, or by the beginning of their title. A space at
 * the end ends the word.
 */
export async function itemStarts(ctx: Context, q: string): Promise<{ keyed: Id[]; titled: Id[] }> {
  const keyed = await idsByKey(ctx, q.trim().toUpperCase())
  const rows = await ctx.sql<{ id: Id }>`select item_title_start_ids(${q.trimStart()}, ${maxStarts + 1}::int) as id`
  return { keyed, titled: rows.length > maxStarts ? [] : rows.map(row => row.id) }
}

/** `DESK-1` finds DESK-1, then DESK-10 to DESK-19 and so on: the newest of the numbers that begin so. */
async function idsByKey(ctx: Context, typed: string): Promise<Id[]> {
  const [, key, digits] = /^([A-Z][A-Z0-9]{0,9})-([1-9]\d{0,8})$/.exec(typed) ?? []
  if (!key || !digits) return []
  const { tenantId } = ctx.caller
  const ranges = [1, 10, 100, 1000, 10_000].map(factor => [Number(digits) * factor, (Number(digits) + 1) * factor - 1])
  const rows = await ctx.sql<{ id: Id }>`select i.id from container c
    cross join lateral unnest(${ranges.map(([from]) => from)}::bigint[], ${ranges.map(([, to]) => to)}::bigint[]) r("from", "to")
    cross join lateral (select i.id, i.number from item i where i.tenant_id = ${tenantId} and i.container_id = c.id
      and i.number between r."from" and r."to" order by i.number limit 20) i
    where c.tenant_id = ${tenantId} and c.key = ${key} and not c.deleted order by i.number limit 50`
  return rows.map(row => row.id)
}

export const isShort = (q: string): boolean => {
  const words = wordsOf(q)
  return words.length === 1 && (words[0] ?? '').length < shortest && !/\s$/.test(q)
}

/** The items that are called what was typed, and for a short word those with a word in the title that begins so. */
export async function itemStartHits(
  ctx: Context,
  { keyed, titled }: { keyed: readonly Id[]; titled: readonly Id[] },
  asked: StartQuery,
): Promise<SearchHit[]> {
  const short = isShort(asked.q)
  if (!short && keyed.length + titled.length === 0) return []
  const { tenantId } = ctx.caller
  const { item } = searchedKinds
  const seen = sql`t.tenant_id = ${tenantId} and not t.deleted and ${visibleItems(ctx.caller, raw('t'))}
    ${asked.archived ? nothing : raw('and not t.archived')} ${asked.containers.length > 0 ? sql`and t.container_id = any(${asked.containers}::uuid[])` : nothing}`
  const word = wordsOf(asked.q)[0] ?? ''
  const called = sql`select t.id, t.updated, t.key from item t where ${seen} and t.id = any(${[...keyed, ...titled]}::uuid[])`
  // The word has letters and digits only, so that it is no pattern.
  const walked = sql`(select t.id, t.updated, t.key from (select t.id, t.updated, t.key from item t where ${seen} order by t.id desc limit ${maxWalked}) t
    where exists (select 1 from item_title s where s.tenant_id = ${tenantId} and s.id = t.id and s.title ~ ${`\\m${word}`} offset 0) limit ${maxFound})`
  const { after, at } = asked.place
  return await ctx.sql<SearchHit>`
    with found as materialized (${called} ${short ? sql`union ${walked}` : nothing}),
    ranked as (select f.id, ${tierOf(asked.q, keyed, titled)} + ${recency(at, raw('f.updated'))} as score from found f),
    best as (
      select r.id, r.score from ranked r ${after ? sql`where (r.score, r.id) < (${after.score}::float8, ${after.id}::uuid)` : nothing}
      order by r.score desc, r.id desc limit ${asked.limit}
    )
    select t.id, ${item?.hit.columns}, ${instantText(sql`t.updated`)} as updated, b.score
    from best b join item t on t.tenant_id = ${tenantId} and t.id = b.id ${item?.hit.from}
    order by b.score desc, b.id desc`
}

function tierOf(q: string, keyed: readonly Id[], titled: readonly Id[]): Sql {
  const tier = (name: keyof typeof tiers) => raw(String(tiers[name]))
  return sql`case when f.key = ${q.trim().toUpperCase()} then ${tier('exactKey')} when f.id = any(${keyed}::uuid[]) then ${tier('keyBeginning')}
    when f.id = any(${titled}::uuid[]) then ${tier('nameBeginning')} else ${tier('wordBeginning')} end::float8`
}
