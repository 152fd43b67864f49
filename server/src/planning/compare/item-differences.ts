import { isDeepStrictEqual } from 'node:util'
import { hiddenAnywhere, hidesSomewhere } from '../../identity/field-limit/hidden-fields.ts'
import { type Item, items } from '../../items/item/item.ts'
import { itemsAt, itemsOfContainersAt } from '../../items/past/past.ts'
import { compileItemQuery, type ItemQuery } from '../../items/search/search.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'

/** Which items are compared. */
export type Question = Pick<ItemQuery, 'conditionGroup' | 'container' | 'includeClosed' | 'refuseInert'>

/** Two moments, the earlier one first. */
export interface Period {
  from: Date
  to: Date
}

/** How an item differs: it came into the answer of a question, left it, or is in both answers with other values. */
export type Difference = 'added' | 'removed' | 'changed'

/** The differences of a page by item, and how many there are in all. */
interface Differences {
  page: { id: Id; difference: Difference }[]
  counts: Record<Difference, number>
}

/** The properties that every write changes, and the order, which changes with that of other items. */
const leftOut = ['version', 'updated', 'updatedBy', 'rank', 'spentMinutes']

/** Compares the answers that a question had at two moments. */
export async function differences(
  ctx: Context,
  asked: Question,
  { from, to }: Period,
  { limit, after }: { limit: number; after: Id | undefined },
): Promise<Differences> {
  const among = asked.container?.length ? asked.container.filter(isId) : undefined
  // An item that has not changed since has the same values at both moments. Only conditions can find a difference, such as the day.
  const only = asked.conditionGroup?.length ? raw('true') : sql`p.updated > ${from}`
  const answered = async (asOf: Date, rows: Sql) => {
    const { where } = await compileItemQuery(ctx, { ...asked, asOf })
    return sql`(select t.*, (${where} and not t.deleted) is true as holds from ${rows} t)`
  }
  const now = await answered(to, await itemsOfContainersAt(ctx, to, among, from, only))
  // Item by item: the planner expects one row of the past, and would compare each with each.
  const was = await answered(from, itemsAt(ctx, from, sql`p.id = now.id`))
  const differs = sql`was.version is distinct from now.version and ${comparable(ctx, raw('was'))} is distinct from ${comparable(ctx, raw('now'))}`
  const [found] = await ctx.sql<{ counts: Differences['counts']; page: Differences['page'] | null }>`
    with found as materialized (
      select now.id, case when not now.holds then 'removed' when was.holds then 'changed' else 'added' end as difference
      from ${now} now left join lateral ${was} was on true
      where case when now.holds and was.holds then ${differs} else now.holds or was.holds end)
    select json_build_object('added', count(*) filter (where f.difference = 'added'), 'removed', count(*) filter (where f.difference = 'removed'),
        'changed', count(*) filter (where f.difference = 'changed')) as counts,
      (select json_agg(p order by p.id) from (select f.id, f.difference from found f
        where ${after ? sql`f.id > ${after}` : raw('true')} order by f.id limit ${limit + 1}) p) as page
    from found f`
  return { page: found?.page ?? [], counts: found?.counts ?? { added: 0, removed: 0, changed: 0 } }
}

/** The values of a row that are compared: what is hidden from the caller on some item differs nowhere. */
function comparable({ caller }: Context, row: Sql): Sql {
  const columns = items.columns.filter(
    ({ property }) => isLeftOut(property) || hidesSomewhere(caller, 'Item', property),
  )
  const others = ['holds', 'version', 'updated', 'updated_by', ...columns.map(({ column }) => column)]
  const fields = [...hiddenAnywhere(caller)].filter(isId)
  return sql`((to_jsonb(${row}) - ${others}::text[]) || jsonb_build_object('fields', ${row}.fields - ${fields}::text[]))`
}

const isLeftOut = (property: string) => leftOut.includes(property)

/** Reads items as they were at a moment, by their ids. */
export async function readItemsAt(ctx: Context, ids: readonly Id[], at: Date): Promise<Map<Id, Item>> {
  const rows = await ctx.sql<{ json: string }>`select ${items.json(raw('t'))} as json
    from ${itemsAt(ctx, at, sql`p.id = any(${ids}::uuid[])`)} t`
  return new Map(
    rows.map(({ json }) => {
      const item: Item = JSON.parse(json)
      return [item.id, item]
    }),
  )
}

/** The old and new value of each property that differs, by the names that events have: `Field.<id>` for a custom value. */
export function changedValues(before: Item, after: Item): Record<string, { from: unknown; to: unknown }> {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const names = [...new Set([...was.keys(), ...is.keys()])].filter(
    name => !isDeepStrictEqual(was.get(name), is.get(name)),
  )
  return Object.fromEntries(names.map(name => [name, { from: was.get(name) ?? null, to: is.get(name) ?? null }]))
}

function valuesOf({ Field, ...plain }: Item): Map<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(plain).filter(([property]) => !isLeftOut(property)),
    ...Field.map(({ fieldId, value }): [string, unknown] => [`Field.${fieldId}`, value]),
  ])
}
