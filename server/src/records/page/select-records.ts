import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { join, name, nothing, raw, type Sql, sql } from '../../kernel/sql.ts'

/** What is selected of records, beside their JSON text. */
interface Selection {
  /** What follows the columns: the table or the statement's own rows as `t`, and which of them. */
  from: Sql
  /** Parts of the statement that come before, each with a comma at its end. */
  before?: Sql
  /** Further columns of each row. */
  more?: Readonly<Record<string, Sql>>
}

/**
 * Selects records of a kind with their JSON text by one statement. What the kind can read for all of them at once is not read in
 * each row, which would cost the database more than the rest of the text.
 */
export async function selectRecords<Row = unknown>(
  ctx: Context,
  kind: Pick<Kind, 'inParts' | 'jsonFor'>,
  { from, before = nothing, more = {} }: Selection,
): Promise<(Row & { id: Id; json: string })[]> {
  const parts = await kind.inParts(ctx)
  const text = parts
    ? sql`${parts.head} as json, ${parts.columns}`
    : sql`${await kind.jsonFor(ctx, raw('t'))} as json, t.id`
  const added = Object.entries(more).map(([as, value]) => ({
    inner: sql`, ${value} as ${name(as)}`,
    outer: sql`, page.${name(as)}`,
  }))
  const [inner, outer] = [
    join(
      added.map(each => each.inner),
      '',
    ),
    join(
      added.map(each => each.outer),
      '',
    ),
  ]
  const rows = await ctx.sql<Row & { id: Id; json: string }>`
    with ${before} page as materialized (select ${text}${inner} ${from})
    select page.json, ${parts?.selected ?? raw('page.id')}${outer} from page`
  const ends = (await parts?.ends(ctx, rows)) ?? []
  return rows.map((row, i) => ({ ...row, json: row.json + (ends[i] ?? '') }))
}
