import type { Context } from '../context.ts'
import { and, join, name, nothing, planned, raw, type Sql, sql } from '../sql.ts'
import { afterCursor, cursorValues, writeCursor } from './cursor.ts'
import type { Listing } from './listing.ts'

const chunkSize = 500
const t = raw('t')
const id = raw('t.id')

/** The sort values of the row before a page; undefined for the first page. */
type After = unknown[] | undefined

export interface Page {
  /** The records as JSON, separated by commas. */
  text: string
  rows: number
  next: string | undefined
}

/** Reads one page, or one chunk of a streamed list. PostgreSQL builds the JSON text, which is passed on unparsed. */
export async function readPage(ctx: Context, listing: Listing, size: number, after: After): Promise<Page> {
  const [first] = listing.sort
  const read = first?.indexed || first?.sparse ? readApart : readRows
  const { text, rows, last } = await read(ctx, listing, size, after)
  const next = rows > size && last ? writeCursor(listing.fingerprint, last) : undefined
  return { text, rows: Math.min(rows, size), next }
}

/** The text of the page, its sort values at the end, and a number of rows that is larger than the page if more follow. */
interface Rows {
  text: string
  rows: number
  last: unknown[] | null
}

/** Reads the records with a value of the first sort key by its index, and those without one after them, or before if 0 or '' stands for none and ascends. */
async function readApart(ctx: Context, listing: Listing, size: number, after: After): Promise<Rows> {
  const [first, ...rest] = listing.sort
  const empty = first?.sparse?.empty ?? null
  const { withValue, without } = divided(listing, empty)
  const valued = (some: number, from: After) => readRows(ctx, { ...listing, ...withValue }, some, from)
  const others = async (some: number, from: After) => {
    const where = and([without, listing.where])
    const rows = await readRows(ctx, { ...listing, sort: rest, where }, some, from?.slice(1))
    return { ...rows, last: rows.last && [empty, ...rows.last] }
  }
  const isLeast = empty !== null && first?.descending === false
  const [begin, end] = isLeast ? [others, valued] : [valued, others]
  const isPast = after !== undefined && (after[0] === empty) !== isLeast
  const one = isPast ? { text: '', rows: 0, last: null } : await begin(size, after)
  if (one.rows > size) return one
  const two = await end(size - one.rows, isPast ? after : undefined)
  return { text: [one.text, two.text].filter(Boolean).join(','), rows: one.rows + two.rows, last: two.last ?? one.last }
}

/** The list of the records with a value of the first sort key, and the condition for the others. */
function divided(listing: Listing, empty: unknown): { withValue: Partial<Listing>; without: Sql } {
  const { resource, where, from = name(resource.table) } = listing
  const [first, ...rest] = listing.sort
  if (!first) return { withValue: {}, without: raw('false') }
  const { indexed, value } = first
  if (!indexed) {
    const sort = [{ ...first, nullable: false }, ...rest]
    const none = empty === null ? sql`${value} is null` : sql`${value} = ${raw(empty === 0 ? '0' : "''")}`
    return { withValue: { sort, where: and([sql`not (${none})`, where]) }, without: none }
  }
  // The id of the other table is in its index, so that a scan starts at the cursor.
  const ids = rest.map(key => (key.value === id ? { ...key, value: indexed.id } : key))
  const sort = [{ ...first, value: indexed.value, nullable: false }, ...ids]
  return {
    withValue: { sort, from: sql`${indexed.table}, ${from}`, where: and([indexed.on, where]) },
    without: sql`not exists (select 1 from ${indexed.table} where ${indexed.on})`,
  }
}

/** Rows become text after the limit is applied; for the other rows not even the sort values do. */
async function readRows(ctx: Context, listing: Listing, size: number, after: After): Promise<Rows> {
  const { resource, sort, where, only, from = name(resource.table) } = listing
  const order = sort.map(
    key => sql`${key.value} ${key.descending ? raw('desc') : nothing}${key.nullable ? raw(' nulls last') : nothing}`,
  )
  const values = join(sort.map((key, i) => sql`${key.value} as ${name(`k${i}`)}`))
  const keys = sql`jsonb_build_array(${join(sort.map((_, i) => raw(`page.k${i}`)))})::text as keys`
  const chosen = sql`from ${from} t where ${where} ${after ? sql`and ${afterCursor(sort, after)}` : nothing}
    order by ${join(order)} limit ${size + 1}`
  const parts = await resource.inParts(ctx, only)
  const statement = parts
    ? sql`with page as materialized (select ${parts.head} as json, ${values}, ${parts.columns} ${chosen})
      select page.json, ${keys}, ${parts.selected} from page`
    : sql`select page.json, ${keys} from (select ${await resource.jsonFor(ctx, t, only)} as json, ${values} ${chosen}) page`
  const rows = await ctx.sql<{ json: string; keys: string }>`${planned(statement, listing.planned)}`
  const ends = (await parts?.ends(ctx, rows)) ?? []
  const text = rows.slice(0, size).map(({ json }, i) => json + (ends[i] ?? ''))
  return { text: text.join(','), rows: rows.length, last: JSON.parse(rows[size - 1]?.keys ?? 'null') }
}

/** Streams the whole list as one array in chunks, so that memory does not grow with its length. */
export async function* streamList(
  listing: Listing,
  readChunk: (after: After, size: number) => Promise<Page>,
): AsyncGenerator<string> {
  let after = listing.after
  let lead = '['
  for (;;) {
    const page: Page = await readChunk(after, chunkSize)
    if (page.text !== '') {
      yield lead + page.text
      lead = ','
    }
    if (!page.next) break
    after = cursorValues(page.next)
  }
  yield lead === '[' ? '[]' : ']'
}
