import type { Context } from '../../kernel/context.ts'
import { remembered } from '../../kernel/memory.ts'
import { name, raw, sql } from '../../kernel/sql.ts'
import { sample, samplePoints, startsOf } from './frequency.ts'

/** How many records of a sample have a word, and whether any record of the tenant has it. */
export interface WordFrequency {
  word: string
  count: number
  known: boolean
}

/**
 * Counts the records of a sample that have each word, by a statement whose work does not grow with the tenant: the newest
 * records, and as many of all times.
 */
export async function wordFrequencies(ctx: Context, table: string, words: readonly string[]): Promise<WordFrequency[]> {
  const starts = (await remembered(ctx, `sample ${table}`, () => startsOf(ctx, table))) ?? []
  const own = sql`s.tenant_id = ${ctx.caller.tenantId}`
  return await ctx.sql<WordFrequency>`
    with sample as materialized (
      (select s.id, s.tsv from ${name(table)} s where ${own} order by s.id desc limit ${raw(String(sample))})
      union select s.id, s.tsv from unnest(${starts}::uuid[]) p(id) cross join lateral (
        select s.id, s.tsv from ${name(table)} s where ${own} and s.id >= p.id order by s.id limit ${raw(String(sample / samplePoints))}) s),
    counted as materialized (
      select l.word, count(*)::int as count from sample s cross join unnest(tsvector_to_array(s.tsv)) l(word)
      join unnest(${words}::text[]) w(word) on w.word = l.word group by l.word)
    select w.word, coalesce(c.count, 0) as count,
      c.count is not null or exists (select 1 from ${name(`${table}_ids`)}(search_term(w.word, false), 1)) as known
    from unnest(${words}::text[]) w(word) left join counted c on c.word = w.word`
}
