import type { Context } from '../context.ts'
import type { Kind } from '../kinds.ts'
import type { Input, Operation, Reply } from '../operation.ts'
import { withCheck } from '../record/findings.ts'
import type { Common } from '../record/record.ts'
import { RuleBroken } from '../refusal.ts'
import type { Schema } from '../schema/shape.ts'
import type { Sql } from '../sql.ts'
import { countRows, estimateRows } from './count.ts'
import { type Listing, type ListingOptions, readListing } from './listing.ts'
import { type Page, readPage, streamList } from './page.ts'

const deletedQuery: Schema = {
  type: 'string',
  enum: ['include', 'only'],
  description: 'Show deleted records too, or only them.',
}

/** One record is shown although it is deleted. */
export const includeDeleted: Schema = {
  type: 'string',
  enum: ['include'],
  description: 'Show the record even if it is deleted.',
}

const listQuery: Record<string, Schema> = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    description: 'The maximum of records in a page. Without it the list has all records.',
  },
  cursor: { type: 'string', description: 'The cursor of the previous page, from `X-Next-Cursor` or `Link`.' },
  sort: { type: 'string', description: 'Properties to sort by, `-` before one for descending: `-updated,name`.' },
  fields: { type: 'string', description: 'Only these properties, besides `id` and `entity`: `name,active`.' },
  deleted: deletedQuery,
  count: {
    type: 'string',
    enum: ['exact', 'estimate'],
    description: 'Adds `X-Total-Count`; an estimate beyond a thousand, if that is enough.',
  },
  updatedAfter: { type: 'string', format: 'date-time', description: 'Only records that changed after this time.' },
}

export const archivedQuery: Schema = {
  type: 'string',
  enum: ['include', 'only', 'true', 'false'],
  description: 'Show archived records too (`include`), or only them.',
}

/** Lists the records that the caller may see; any scalar property filters: `?active=true`, `?updated[gte]=…`. */
export function list(
  kind: Kind,
  more: {
    where?: (ctx: Context, input: Input) => Sql | Promise<Sql>
    known?: readonly string[]
    filter?: (ctx: Context, query: Input['query']) => Promise<ListingOptions['filter']>
  } = {},
): Operation {
  return {
    permission: kind.permissions.read,
    placed: kind.placed,
    mode: 'read',
    summary: `List ${plural(kind.entity)}`,
    description: `${kind.about} Returns all records as one array, or one page if \`limit\` is given. Any scalar property is a filter: \`?active=true\`.${more.filter ? ' Names also filter by their parts: `?name[contains]=`, `[startsWith]`, `[endsWith]`, `[matches]`.' : ''}`,
    filters: true,
    query: kind.archives ? { ...listQuery, archived: archivedQuery } : listQuery,
    reply: {
      status: 200,
      schema: { type: 'array', items: kind.schema },
      description: 'The records, oldest first unless sorted otherwise.',
    },
    async run(ctx, input) {
      const [where, filter] = [await more.where?.(ctx, input), await more.filter?.(ctx, input.query)]
      const options = { where, known: more.known ?? [], ...(filter && { filter }) }
      return await answerList(ctx, await readListing(ctx, kind, input.query, options), input)
    },
  }
}

/** Answers with one page if the query has a limit, else streams the whole list. */
export async function answerList(ctx: Context, listing: Listing, input: Input): Promise<Reply> {
  const headers: Record<string, string> = {}
  if (listing.count) {
    const { count, kind } =
      listing.count === 'estimate'
        ? await estimateRows(ctx, listing)
        : { count: await countRows(ctx, listing), kind: 'exact' }
    headers['x-total-count'] = String(count)
    headers['x-total-count-kind'] = kind
  }
  const read = async (inner: Context, size: number, after: unknown[] | undefined) =>
    await withChecks(inner, listing, await readPage(inner, listing, size, after))
  if (listing.limit === undefined) {
    await refuseTooMany(ctx, listing)
    return {
      headers,
      stream: reopen => streamList(listing, (after, size) => reopen(inner => read(inner, size, after))),
    }
  }
  const page = await read(ctx, listing.limit, listing.after)
  headers['x-limit'] = String(listing.limit)
  if (page.next) {
    headers['x-next-cursor'] = page.next
    const next = new URLSearchParams(
      Object.entries(input.query).map(([key, value]): [string, string] => [key, String(value)]),
    )
    next.set('cursor', page.next)
    headers.link = `<${input.path}?${next}>; rel="next"`
  }
  return { headers, text: `[${page.text}]` }
}

/** A list is never cut short silently: a caller who asks for too much without paging is refused. */
async function refuseTooMany(ctx: Context, listing: Listing): Promise<void> {
  const max = await ctx.services.maxUnpaged(ctx)
  if (max === 0 || (await countRows(ctx, listing)) <= max) return
  throw new RuleBroken('too-many-records', `there are more than ${max} records: page through them with limit`)
}

/** Adds `check` to the records of kinds that report findings, unless only some properties were asked for. */
async function withChecks(ctx: Context, { resource, only }: Listing, page: Page): Promise<Page> {
  const { findings } = resource
  if (!findings || only || page.text === '') return page
  const records: Common[] = JSON.parse(`[${page.text}]`)
  const texts: string[] = []
  for (const record of records) texts.push(JSON.stringify(await withCheck(ctx, record, findings)))
  return { ...page, text: texts.join(',') }
}

function plural(entity: string): string {
  return /s$/.test(entity) ? entity : `${entity}s`.replace(/([^aeiou])ys$/, '$1ies')
}
