import type { Context } from '../../kernel/context.ts'
import { remembered } from '../../kernel/memory.ts'
import { join, name, planned, raw, type Sql, sql } from '../../kernel/sql.ts'
import { sample, samplePoints, startsOf } from './frequency.ts'

/** From this number of hits in the whole sample a scan fills a page sooner than the index has found all. */
const frequent = 8
/** The same for a smaller sample. */
const frequentElsewhere = 6
/** From this share of hits a scan counts as fast as the index, which costs more for each hit. */
const frequentCounted = 0.1
/** Each part of the sample must have a hit, so that a scan meets some wherever it begins, or the records of all times this share: then the index would find more than a scan has to pass. */
const frequentInOthers = 0.1

interface Looked {
  /** The table that is sampled, as `s`, and the text of each of its records. */
  table: string
  text: Sql
  /** The text is stored folded. */
  folded?: boolean
  /** How the index finds parts: by all their triples of characters, by trigrams, which only some parts have, or by other means. */
  index: 'triples' | 'trigrams' | 'other'
  /** The text is long, must be folded or is in another table, so that fewer records are looked at. */
  elsewhere?: boolean
  /** The records are also counted, for which a scan would have to read all. */
  counted?: boolean
}

/** A part that an index should look for. */
interface RarePart {
  /** Two of its triples of characters, those that the fewest texts have. */
  triples: readonly string[]
  /** How many texts of the sample have it. */
  hits: number
}

export type RareParts = ReadonlyMap<string, RarePart>

/**
 * Returns those of the words that an index should look for, because few records contain them; an index of trigrams finds words
 * with three letters or digits in a row, or of one or two of ASCII. The others are found sooner by a scan in the order of the list, or have
 * no trigram. The sample consists of the oldest records, the newest ones, and some of all times.
 */
export async function rareParts(ctx: Context, looked: Looked, words: readonly string[]): Promise<RareParts> {
  if (words.length === 0) return new Map()
  const { table, text, folded = false, index, elsewhere = false, counted = false } = looked
  const size = sample / (elsewhere ? 4 : 2)
  const enough = counted ? 3 * size * frequentCounted : elsewhere ? frequentElsewhere : frequent
  const starts = (await remembered(ctx, `sample ${table}`, () => startsOf(ctx, table))) ?? []
  if (starts.length === 0) return new Map()
  // With sizes in the text of the statement and values instead of arrays, a plan for any values is as good as one for these.
  const [ofPart, ofPoint] = [raw(String(size)), raw(String(size / samplePoints))]
  const own = sql`s.tenant_id = ${ctx.caller.tenantId}`
  const from = name(table)
  const statement = sql`
    with sample as materialized (
      (select ${text} as text, 0 as part from ${from} s where ${own} order by s.id limit ${ofPart})
      union all (select ${text}, 1 from ${from} s where ${own} order by s.id desc limit ${ofPart})
      union all select s.text, 2 from (values ${join(starts.map(id => sql`(${id}::uuid)`))}) p(id) cross join lateral (
        select ${text} as text from ${from} s where ${own} and s.id >= p.id order by s.id limit ${ofPoint}) s
    ), looked as ${folded ? asItIs : foldedOnce}, joined as materialized (
      select coalesce(string_agg(left(l.text, 200), ''), '') as text from looked l where l.part = 2)
    select w.word, ${index === 'other' ? raw(`'{}'::text[]`) : rarestTriples} as triples, (h.oldest + h.newest + h.others)::int as hits
    from (values ${join(words.map(word => sql`(${word}::text)`))}) w(word), lateral (select fold(w.word) as text offset 0) f, lateral (
      select count(*) filter (where l.part = 0) as oldest, count(*) filter (where l.part = 1) as newest, count(*) filter (where l.part = 2) as others
      from looked l where strpos(l.text, f.text) > 0) h
    where ${index === 'trigrams' ? sql`f.text ~ '[[:alnum:]]{3}|^[a-z0-9]{1,2}$'` : raw('true')} and (h.oldest + h.newest + h.others < ${enough}::float8
      or least(h.oldest, h.newest, h.others) = 0 and h.others < ${size * frequentInOthers}::float8)`
  const rows = await ctx.sql<RarePart & { word: string }>`${planned(statement, 'once')}`
  return new Map(rows.map(({ word, ...part }) => [word, part]))
}

const asItIs = raw('not materialized (select s.text, s.part from sample s)')
const foldedOnce = raw('materialized (select fold(s.text) as text, s.part from sample s)')
const rarestTriples = raw(`array(
      select p.triple from joined j, (select distinct substr(f.text, i, 3) as triple from generate_series(1, length(f.text) - 2) i) p
      order by length(j.text) - length(replace(j.text, p.triple, '')), p.triple limit 2)`)
