import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { name, raw, type Sql, sql } from '../../kernel/sql.ts'

/** The size of the sample: this number of the newest records, and as many spread over all times. */
export const sample = 512
export const samplePoints = 8
const frequent = 0.02

/** This number of hits in the sample is not a coincidence: in a large table it means hundreds of matches. */
const some = 2

export type Frequency = 'frequent' | 'middling' | 'rare'

/**
 * Estimates how many records match. Frequent: a scan from the newest record soon finds enough. Rare: the word index
 * finds all at once. Middling: the index would find too many, so it is asked for the newest only. The estimate uses a
 * sample, because statistics may be out of date: one part from the newest records, where the scan begins, and one from
 * all times, because a new word may still be rare.
 */
export async function frequencyOf(ctx: Context, table: string, query: Sql): Promise<Frequency> {
  const starts = await remembered(ctx, `sample ${table}`, () => startsOf(ctx, table))
  if (!starts || starts.length === 0) return 'rare'
  const own = sql`s.tenant_id = ${ctx.caller.tenantId}`
  const [row] = await ctx.sql<{ newest: number; ofAllTimes: number; looked: number }>`
    select count(*) filter (where r.newest and r.tsv @@ ${query})::int as newest,
      count(*) filter (where not r.newest and r.tsv @@ ${query})::int as "ofAllTimes", count(*) filter (where r.newest)::int as looked
    from ((select s.tsv, true as newest from ${raw(table)} s where ${own} order by s.id desc limit ${raw(String(sample))})
      union all select s.tsv, false from unnest(${starts}::uuid[]) p(id) cross join lateral (
        select s.tsv from ${raw(table)} s where ${own} and s.id >= p.id order by s.id limit ${raw(String(sample / samplePoints))}) s) r`
  if (!row || row.looked < sample) return 'rare'
  const enough = sample * frequent
  if (row.newest >= enough && row.ofAllTimes >= enough) return 'frequent'
  return row.newest + row.ofAllTimes >= some ? 'middling' : 'rare'
}

/** Returns ids at even distances from the oldest record to the newest; ids sort by age. */
export async function startsOf(ctx: Context, table: string): Promise<Id[]> {
  const own = sql`s.tenant_id = ${ctx.caller.tenantId}`
  const [row] = await ctx.sql<{ first: Id | null; last: Id | null }>`
    select (select s.id from ${name(table)} s where ${own} order by s.id limit 1) as first, (select s.id from ${name(table)} s where ${own} order by s.id desc limit 1) as last`
  if (!row?.first || !row.last) return []
  const [first, last] = [numberOf(row.first), numberOf(row.last)]
  return Array.from({ length: samplePoints }, (_, i) =>
    idOf(first + ((last - first) * BigInt(i)) / BigInt(samplePoints)),
  )
}

function numberOf(id: Id): bigint {
  return BigInt(`0x${id.replaceAll('-', '')}`)
}

function idOf(number: bigint): Id {
  return number
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
