import type { Context } from './context.ts'
import type { Key, Listing } from './listing.ts'
import { and, anew, join, name, nothing, or, raw, type Sql, sql } from './sql.ts'

const chunk = 500
const t = raw('t')
const id = raw('t.id')

/** Rows after the cursor: sorted by several keys, each in its direction, nulls last. */
export function beyond(sort: Key[], after: unknown[]): Sql {
  const [first] = sort
  // Compared as one row where that says the same: only so does an index begin at the cursor instead of at the first row.
  if (first && sort.every((key, i) => !key.nullable && key.descending === first.descending && after[i] !== null)) {
    const place = join(sort.map((key, i) => sql`${after[i]}::${raw(key.type)}`))
    return sql`(${join(sort.map(key => key.value))}) ${first.descending ? raw('<') : raw('>')} (${place})`
  }
  const options: Sql[] = []
  for (const [i, key] of sort.entries()) {
    const value = after[i]
    if (value === null) continue // nulls come last: nothing of this key lies behind one
    const same = sort
      .slice(0, i)
      .map((each, j) => sql`${each.value} is not distinct from ${after[j]}::${raw(each.type)}`)
    const further = sql`${key.value} ${key.descending ? raw('<') : raw('>')} ${value}::${raw(key.type)}`
    options.push(and([...same, key.nullable ? sql`(${further} or ${key.value} is null)` : further]))
  }
  return or(options)
}

export interface Page {
  /** The rows as JSON texts with commas between. */
  text: string
  rows: number
  next: string | undefined
}

/** One page, or one chunk of a list that has none. PostgreSQL builds the text; it passes through as it is. */
export async function readPage(
  ctx: Context,
  listing: Listing,
  size: number,
  after: unknown[] | undefined,
): Promise<Page> {
  const { text, rows, last } = await (listing.sort[0]?.kept ? readKept : readRows)(ctx, listing, size, after)
  const more = rows > size && last
  return {
    text,
    rows: Math.min(rows, size),
    next: more ? Buffer.from(JSON.stringify([listing.fingerprint, ...last])).toString('base64url') : undefined,
  }
}

/** Rows as JSON texts with commas between, one more than were asked for if there are more, and the keys of the last. */
interface Rows {
  text: string
  rows: number
  last: unknown[] | null
}

/** First the records that have a value to sort by, in the order of its index, and when they are through the others. */
async function readKept(ctx: Context, listing: Listing, size: number, after: unknown[] | undefined): Promise<Rows> {
  const { resource, where, from = name(resource.table) } = listing
  const [first, ...rest] = listing.sort
  const kept = first?.kept
  if (!kept) return await readRows(ctx, listing, size, after)
  let valued: Rows = { text: '', rows: 0, last: null }
  if (after?.[0] !== null) {
    // By the id that stands beside the value, so that the index begins at the cursor.
    const ids = rest.map(key => (key.value === id ? { ...key, value: kept.id } : key))
    const keys = [{ ...first, value: kept.value, nullable: false }, ...ids]
    const joined = sql`${kept.table}, ${from}`
    valued = await readRows(ctx, { ...listing, sort: keys, from: joined, where: and([kept.on, where]) }, size, after)
    if (valued.rows > size) return valued
  }
  const without = and([sql`not exists (select 1 from ${kept.table} where ${kept.on})`, where])
  const behind = after?.[0] === null ? after.slice(1) : undefined
  const others = await readRows(ctx, { ...listing, sort: rest, where: without }, size - valued.rows, behind)
  const last = others.last ? [null, ...others.last] : valued.last
  return { text: [valued.text, others.text].filter(Boolean).join(','), rows: valued.rows + others.rows, last }
}

/** Rows are numbered and made into text behind the limit: what is sorted by is worked out once for each of the others. */
async function readRows(ctx: Context, listing: Listing, size: number, after: unknown[] | undefined): Promise<Rows> {
  const { resource, sort, where, only, from = name(resource.table) } = listing
  const order = join(
    sort.map(
      key => sql`${key.value} ${key.descending ? raw('desc') : nothing}${key.nullable ? raw(' nulls last') : nothing}`,
    ),
  )
  const keys = join(sort.map(key => key.value))
  const statement = sql`
    select string_agg(p.json, ',' order by p.n) filter (where p.n <= ${size}) as text, count(*)::int as rows,
      (array_agg(p.keys) filter (where p.n = ${size}))[1] as last
    from (
      select row_number() over () as n, ${await resource.jsonFor(ctx, t, only)} as json, t.listed_keys as keys
      from (
        select t.*, jsonb_build_array(${keys}) as listed_keys from ${from} t
        where ${where} ${after ? sql`and ${beyond(sort, after)}` : nothing}
        order by ${order} limit ${size + 1}
      ) t
    ) p`
  const [row] = await ctx.sql<{
    text: string | null
    rows: number
    last: unknown[] | null
  }>`${listing.varied ? anew(statement) : statement}`
  return { text: row?.text ?? '', rows: row?.rows ?? 0, last: row?.last ?? null }
}

/** The whole list as one array, chunk by chunk: memory stays flat however long it is. */
export async function* streamList(
  listing: Listing,
  chunkOf: (after: unknown[] | undefined, size: number) => Promise<Page>,
): AsyncGenerator<string> {
  let after = listing.after
  let lead = '['
  for (;;) {
    const page: Page = await chunkOf(after, chunk)
    if (page.text !== '') {
      yield lead + page.text
      lead = ','
    }
    if (!page.next) break
    after = JSON.parse(Buffer.from(page.next, 'base64url').toString()).slice(1)
  }
  yield lead === '[' ? '[]' : ']'
}

export async function countRows(ctx: Context, listing: Listing): Promise<number> {
  return await countUpTo(ctx, listing, undefined)
}

async function countUpTo(ctx: Context, listing: Listing, most: number | undefined): Promise<number> {
  const { resource, where, from = name(resource.table) } = listing
  const counted =
    most === undefined
      ? sql`select count(*)::int as count from ${from} t where ${where}`
      : sql`select count(*)::int as count from (select 1 from ${from} t where ${where} limit ${most}) c`
  const [row] = await ctx.sql<{ count: number }>`${listing.varied ? anew(counted) : counted}`
  return row?.count ?? 0
}

/** Few are counted; of more, PostgreSQL tells what it expects to find, which costs the same however many there are. */
const fewRows = 1000

export async function estimateRows(
  ctx: Context,
  listing: Listing,
): Promise<{ count: number; kind: 'exact' | 'estimate' }> {
  const few = await countUpTo(ctx, listing, fewRows + 1)
  if (few <= fewRows) return { count: few, kind: 'exact' }
  const { resource, where, from = name(resource.table) } = listing
  const [row] = await ctx.sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`${anew(
    sql`explain (format json) select 1 from ${from} t where ${where}`,
  )}`
  return { count: Math.max(few, Math.round(row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0)), kind: 'estimate' }
}
