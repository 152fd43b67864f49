import type { Board } from '../../containers/board/board.ts'
import { type ItemProperty, isItemProperty } from '../../containers/item-property/item-property.ts'
import { partsAdded } from '../../items/item-parts.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { afterCursor } from '../../kernel/list/cursor.ts'
import type { Listing } from '../../kernel/list/listing.ts'
import type { PageParts } from '../../kernel/record/record-json.ts'
import { join, nothing, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Grouping } from './grouping.ts'
import { lowered, type OpenBoard, type Sums, weightsShown } from './open-board.ts'

const t = raw('t')

/** The cards of one column, as one text. */
export interface ColumnRow extends Sums {
  n: number
  text: string
  more: boolean
  last: unknown[] | null
  lanes: Record<string, number> | null
}

/** A card with the figures of its column, or a column that shows none. The first card of a column has `last` and `lanes`. */
type CardRow = Omit<ColumnRow, 'text'> & { json: string | null }

/** Reads the columns that have cards, each with the text of one page; derived properties are added to all of them at once. */
export async function readColumns(
  ctx: Context,
  { columns, grouping, ...open }: OpenBoard,
  { sort, after, only }: Listing,
  { size, where, lane }: { size: number; where: Sql; lane: Grouping | undefined },
): Promise<ColumnRow[]> {
  const places = columns.flatMap((each, n) => lowered(each.values).map(value => ({ value, n })))
  const distinct = places.filter(({ value }, i) => places.findIndex(each => each.value === value) === i)
  const order = join(
    sort.map(
      key => sql`${key.value} ${key.descending ? raw('desc') : nothing}${key.nullable ? raw(' nulls last') : nothing}`,
    ),
  )
  const further = after ? afterCursor(sort, after) : raw('true')
  const { points, minutes } = weightsShown({ columns, grouping, ...open })
  const wanted = shownOn(open.board, only)
  const also = { swimlane: lane ? lane.value : raw("''::text") }
  const shown = sql`p.id = any(array(select k.id from card k where k.further and k.place <= ${size}))`
  const parts = await open.kind.inParts(ctx, wanted, also)
  const head = parts?.head ?? (await open.kind.jsonFor(ctx, t, wanted, also))
  const first = raw('coalesce(page.place, 1) = 1')
  const rows = await ctx.sql<CardRow>`
    with card as materialized (
      select t.id, coalesce(m.n, ${columns.length - 1}) as n, ${lane ? lane.value : raw("''")} as lane, ${points} as points, ${minutes} as minutes,
        ${further} as further, row_number() over (partition by m.n, ${further} order by ${order}) as place, jsonb_build_array(${join(sort.map(key => key.value))}) as keys
      from ${open.from} left join unnest(${distinct.map(each => each.value)}::text[], ${distinct.map(each => each.n)}::int[]) as m(value, n)
        on m.value = ${grouping ? sql`lower(${grouping.value})` : raw('null')}
      where ${where}
    ), page as materialized (
      select s.n, s.place, ${parts?.columns ?? raw('t.id')}, ${head} as json from card s join ${open.rows(shown)} t on t.tenant_id = ${ctx.caller.tenantId} and t.id = s.id
      where s.further and s.place <= ${size}
    ), counted as (
      select c.n, count(*)::int as count, coalesce(sum(c.points), 0)::float8 as points, coalesce(sum(c.minutes), 0)::float8 as minutes,
        bool_or(c.further and c.place > ${size}) as more, (array_agg(c.keys) filter (where c.further and c.place = ${size}))[1] as last
      from card c group by c.n
    )
    select c.n, c.count, c.points, c.minutes, c.more, case when ${first} then c.last end as last,
      case when ${first} then (select json_object_agg(l.lane, l.count) from (select lane, count(*)::int as count from card group by lane) l) end as lanes,
      page.json, ${parts?.selected ?? raw('page.id')}
    from counted c left join page on page.n = c.n order by c.n, page.place`
  return await columnsOf(ctx, rows, parts)
}

async function columnsOf(ctx: Context, rows: CardRow[], parts: PageParts | undefined): Promise<ColumnRow[]> {
  const cards = rows.filter(row => row.json !== null)
  const ends = (await parts?.ends(ctx, cards)) ?? []
  const texts = new Map(cards.map((card, i) => [card, `${card.json}${ends[i] ?? ''}`]))
  return [...Map.groupBy(rows, row => row.n).values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const { json: _text, ...column } = first
    return [{ ...column, text: [first, ...others].flatMap(row => texts.get(row) ?? []).join(',') }]
  })
}

const plainCard: readonly ItemProperty[] = [
  'key',
  'title',
  'status',
  'statusCategory',
  'priority',
  'assignees',
  'dueDate',
  'points',
  'estimateMinutes',
  'parentId',
  'containerId',
  'Tags',
]

/** The properties that a card shows: those that are asked for or the board selects, and those that a move needs. */
function shownOn({ cardFields }: Board, only: ReadonlySet<string> | undefined): ReadonlySet<string> {
  if (only) return new Set([...needed, ...only])
  const own = cardFields.map(each => (each === 'assignee' ? 'assignees' : each))
  const custom = own.some(each => !isItemProperty(each))
  return new Set([...needed, ...(own.length > 0 ? own : plainCard), ...(custom ? ['Field'] : [])])
}

const needed = ['key', 'title', 'rank', 'version']

/** The cards of each column as JSON, with the parts that are included for all of them at once. */
export async function cardTexts(
  ctx: Context,
  rows: readonly ColumnRow[],
  parts: ReadonlySet<string>,
): Promise<Map<number, string>> {
  if (parts.size === 0) return new Map(rows.map(({ n, text }) => [n, text]))
  const plain: { n: number; card: { id: Id } }[] = rows.flatMap(({ n, text }) =>
    JSON.parse(`[${text}]`).map((card: { id: Id }) => ({ n, card })),
  )
  const completed = await partsAdded(
    ctx,
    parts,
    plain.map(each => each.card),
  )
  const placed = completed.map((card, i) => ({ n: plain[i]?.n ?? 0, text: JSON.stringify(card) }))
  return new Map(
    [...Map.groupBy(placed, each => each.n)].map(([n, some]) => [n, some.map(each => each.text).join(',')]),
  )
}
