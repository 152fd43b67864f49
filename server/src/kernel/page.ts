import type { Context } from './database.ts'
import type { Key, Listing } from './listing.ts'
import { and, join, name, nothing, or, raw, type Sql, sql } from './sql.ts'

const chunk = 500
const t = raw('t')

/** Rows after the cursor: sorted by several keys, each in its direction, nulls last. */
function beyond(sort: Key[], after: unknown[]): Sql {
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
  const { resource, sort, where, only, fingerprint } = listing
  const order = join(
    sort.map(
      key => sql`${key.value} ${key.descending ? raw('desc') : nothing}${key.nullable ? raw(' nulls last') : nothing}`,
    ),
  )
  const keys = join(sort.map(key => key.value))
  const [row] = await ctx.sql<{ text: string | null; rows: number; last: unknown[] | null }>`
    select string_agg(p.json, ',' order by p.n) filter (where p.n <= ${size}) as text, count(*)::int as rows,
      (array_agg(p.keys) filter (where p.n = ${size}))[1] as last
    from (
      select row_number() over (order by ${order}) as n, ${resource.json(t, only)} as json, jsonb_build_array(${keys}) as keys
      from ${name(resource.table)} t
      where ${where} ${after ? sql`and ${beyond(sort, after)}` : nothing}
      order by ${order} limit ${size + 1}
    ) p`
  const more = (row?.rows ?? 0) > size && row?.last
  return {
    text: row?.text ?? '',
    rows: Math.min(row?.rows ?? 0, size),
    next: more ? Buffer.from(JSON.stringify([fingerprint, ...(row?.last ?? [])])).toString('base64url') : undefined,
  }
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

export async function countRows(ctx: Context, { resource, where }: Listing): Promise<number> {
  const [row] = await ctx.sql<{
    count: number
  }>`select count(*)::int as count from ${name(resource.table)} t where ${where}`
  return row?.count ?? 0
}
