import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { and, name, nothing, raw, type Sql, sql } from '../../kernel/sql.ts'
import { folded } from '../../language/folded.ts'
import { wordsOf } from '../../language/search/tokenizer.ts'
import type { SearchPosition } from './hits.ts'
import type { NamedKind } from './named-kinds.ts'
import type { SearchHit } from './searched-kinds.ts'

/** How well a record is named by what was typed; each is above all words of a text. */
export const tiers = { exactKey: 60, keyBeginning: 50, nameBeginning: 40, wordBeginning: 30 } as const

/** The most records of a kind that are looked at for one search. */
const maxCandidates = raw('2000')
const halfLife = raw(String(90 * 86_400))

/** The part of a score, below one, by which a recent change counts more. */
export const recency = (at: Date, updated: Sql) =>
  sql`exp(-0.693 * greatest(0, extract(epoch from ${at}::timestamptz - ${updated})::float8) / ${halfLife})`

interface NameQuery {
  q: string
  containers: readonly Id[]
  limit: number
  place: SearchPosition
}

/** The records of a kind whose name or key contains words that begin as typed, and that the caller sees. */
export async function nameHits(ctx: Context, named: NamedKind, asked: NameQuery): Promise<SearchHit[]> {
  const words = wordsOf(asked.q).map(word => word.slice(0, 40))
  const [first] = words.toSorted((a, b) => b.length - a.length)
  if (!first || words.length > 10 || ctx.services.redaction.hidesSomewhere(ctx.caller, named.kind.entity, 'name'))
    return []
  const { tenantId } = ctx.caller
  const { entity, table } = named.kind
  const others = words.filter(word => word !== first)
  const last = words.at(-1)
  const beginning = (word: string) =>
    // A space after the last word ends it.
    word === last && /\s$/.test(asked.q)
      ? sql`n.entity = ${entity} and n.word = ${word}`
      : sql`n.entity = ${entity} and n.word >= ${word} and n.word < ${`${word}\u{10ffff}`}`
  const all = others.map(
    word =>
      sql`exists (select 1 from name_word n where n.tenant_id = ${tenantId} and n.id = t.id and ${beginning(word)})`,
  )
  const within =
    asked.containers.length > 0 ? sql`and ${named.containerId} = any(${asked.containers}::uuid[])` : nothing
  const { after, at } = asked.place
  return await ctx.sql<SearchHit>`
    with named as materialized (select distinct m.id from (select n.id from name_word n
      where n.tenant_id = ${tenantId} and ${beginning(first)} limit ${maxCandidates}) m),
    ranked as (
      select t.id, ${tierOf(named, asked.q)} + ${recency(at, raw('t.updated'))} as score
      from named m join ${name(table)} t on t.tenant_id = ${tenantId} and t.id = m.id
      where not t.deleted and ${named.current} and ${named.kind.visible(ctx.caller, raw('t'))} ${within} ${all.length > 0 ? sql`and ${and(all)}` : nothing}
    ), best as (
      select r.id, r.score from ranked r ${after ? sql`where (r.score, r.id) < (${after.score}::float8, ${after.id}::uuid)` : nothing}
      order by r.score desc, r.id desc limit ${asked.limit}
    )
    select t.id, ${named.key ?? raw('null')} as key, t.name as title, '' as body, null::uuid as "itemId",
      case when c.id is null then null else json_build_object('id', c.id, 'key', c.key, 'name', c.name) end as container,
      ${instantText(sql`t.updated`)} as updated, b.score
    from best b join ${name(table)} t on t.tenant_id = ${tenantId} and t.id = b.id
    left join container c on c.tenant_id = ${tenantId} and c.id = ${named.containerId}
    order by b.score desc, b.id desc`
}

function tierOf({ key }: NamedKind, q: string): Sql {
  const typed = folded(q.trim())
  const starts = (text: Sql) => sql`starts_with(fold(${text}), ${typed})`
  const byKey = key
    ? sql`when fold(${key}) = ${typed} then ${raw(String(tiers.exactKey))} when ${starts(key)} then ${raw(String(tiers.keyBeginning))}`
    : nothing
  return sql`case ${byKey} when ${starts(raw('t.name'))} then ${raw(String(tiers.nameBeginning))} else ${raw(String(tiers.wordBeginning))} end::float8`
}
