import { type Board, type BoardColumn, boards, quickFiltersOf, sortModes } from '../../containers/board/board.ts'
import { type ItemProperty, isItemProperty, isSortable } from '../../containers/item-property/item-property.ts'
import { items, visibleItems } from '../../items/item/item.ts'
import { sortableBy } from '../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import { afterCursor } from '../../kernel/list/cursor.ts'
import { type Listing, readListing } from '../../kernel/list/listing.ts'
import { type Input, operation } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { and, join, nothing, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { ConditionGroups } from '../../language/conditions/conditions.ts'
import { cardsSchema } from './cards-schema.ts'
import { type Grouping, groupingOf, namesOf } from './grouping.ts'
import { holds, inColumn, loadOf, lowered, type OpenBoard, openBoard, type Sums, weightsShown } from './open-board.ts'

const t = raw('t')

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

/** The properties that a card shows: those that the board selects, and those that a move needs. */
function shownOn({ cardFields }: Board): ReadonlySet<string> {
  const own = cardFields.map(each => (each === 'assignee' ? 'assignees' : each))
  const custom = own.some(each => !isItemProperty(each))
  return new Set([
    'key',
    'title',
    'rank',
    'version',
    ...(own.length > 0 ? own : plainCard),
    ...(custom ? ['Field'] : []),
  ])
}

interface ColumnRow extends Sums {
  n: number
  text: string | null
  more: boolean
  last: unknown[] | null
  lanes: Record<string, number>
}

/** The cards of a board by column: the first page of each column, or the next page of one. */
export const cards = operation({
  permission: boards.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'List the cards of a board',
  description:
    'The columns of the board in order, each with the number of its cards, its load and its first cards, sorted by rank or by the sort field of the board. Cards that fit no column are in the last one, `other`. `column` selects one column; pass its `next` as `cursor` to get its next page. Only cards that the caller may see are included.',
  query: {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'The number of cards per column; the default is 50.',
    },
    column: { type: 'string', description: 'Only this column, by its id.' },
    cursor: { type: 'string', description: 'The `next` of the column’s previous page.' },
    quickFilter: {
      type: 'string',
      description: 'Ids of quick filters of the board, separated by commas; a card must match all of them.',
    },
    swimlane: { type: 'string', description: 'Only cards of the lane with this value.' },
  },
  reply: { status: 200, schema: cardsSchema, description: 'The columns with their cards.' },
  refusals: [404],
  async run(ctx, input) {
    const open = await openBoard(ctx, input.params.id ?? '')
    const lane = await groupingOf(ctx, open.board.swimlaneField)
    const wanted = readQuery(open, input)
    const listing = await listingOf(ctx, open, input, wanted.column?.id)
    const size = listing.limit ?? 50
    const rows = await readColumns(ctx, open, listing, {
      size,
      lane,
      where: and([
        open.on,
        visibleItems(ctx.caller, t),
        ...wanted.filters.map(groups => holds(ctx, groups, open.vocabulary)),
        wanted.swimlane !== undefined && lane
          ? sql`lower(${lane.value}) = ${wanted.swimlane.toLowerCase()}`
          : raw('true'),
        wanted.column ? inColumn(open, wanted.column) : raw('true'),
      ]),
    })
    const shown: string[] = []
    for (const [n, column] of open.columns.entries()) {
      if (wanted.column && wanted.column !== column) continue
      const row = rows.find(each => each.n === n)
      shown.push(columnText(column, row, await next(ctx, open, input, column, row)))
    }
    const head = {
      boardId: open.board.id,
      columnField: open.board.columnField,
      swimlaneField: open.board.swimlaneField,
      swimlanes: await lanesOf(ctx, lane, rows[0]?.lanes ?? {}),
    }
    return { text: `${JSON.stringify(head).slice(0, -1)},"columns":[${shown.join(',')}]}` }
  },
})

interface Wanted {
  column: BoardColumn | undefined
  filters: ConditionGroups[]
  swimlane: string | undefined
}

function readQuery({ board, columns }: OpenBoard, { query }: Input): Wanted {
  const text = (name: string) => (query[name] === undefined ? undefined : String(query[name]))
  const unknown = (name: string, what: string) =>
    new Invalid([fault([name], 'unknown', `the board has no such ${what}`, text(name))], 'the query is not valid')
  const column = columns.find(each => each.id === text('column'))
  if (text('column') !== undefined && !column) throw unknown('column', 'column')
  if (text('cursor') !== undefined && !column)
    throw new Invalid([fault(['column'], 'required', 'is required with cursor')], 'the query is not valid')
  const all = quickFiltersOf(board)
  const filters = (text('quickFilter') ?? '')
    .split(',')
    .filter(Boolean)
    .map(id => {
      const found = all.find(each => each.id === id)
      if (!found) throw unknown('quickFilter', 'quick filter')
      return found.conditionGroup
    })
  return { column, filters, swimlane: text('swimlane') }
}

const known = ['column', 'quickFilter', 'swimlane']

/** The sort order of the cards. A cursor is valid only for the same order. */
async function listingOf(
  ctx: Context,
  { board, vocabulary }: OpenBoard,
  { query }: Input,
  column: string | undefined,
): Promise<Listing> {
  const sortable = sortableBy(vocabulary)
  const { sortField, sortDescending } = board
  const sorts =
    board.sortMode === sortModes.field &&
    sortField !== '' &&
    (isSortable(sortField) || sortable(sortField) !== undefined)
  const order = `${sorts ? `${sortDescending ? '-' : ''}${sortField},` : ''}rank`
  const { sort: _mine, ...rest } = query
  return await readListing(
    ctx,
    items,
    { ...rest, ...(column === undefined ? {} : { column }) },
    { order, sortable, known },
  )
}

async function readColumns(
  ctx: Context,
  { columns, grouping, ...open }: OpenBoard,
  { sort, after }: Listing,
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
  const card = await items.jsonFor(ctx, t, shownOn(open.board), { swimlane: lane ? lane.value : raw("''::text") })
  return await ctx.sql<ColumnRow>`
    with card as materialized (
      select t.id, coalesce(m.n, ${columns.length - 1}) as n, ${lane ? lane.value : raw("''")} as lane, ${points} as points, ${minutes} as minutes,
        ${further} as further, row_number() over (partition by m.n, ${further} order by ${order}) as place, jsonb_build_array(${join(sort.map(key => key.value))}) as keys
      from ${open.from} left join unnest(${distinct.map(each => each.value)}::text[], ${distinct.map(each => each.n)}::int[]) as m(value, n)
        on m.value = ${grouping ? sql`lower(${grouping.value})` : raw('null')}
      where ${where}
    )
    select c.n, count(*)::int as count, coalesce(sum(c.points), 0)::float8 as points, coalesce(sum(c.minutes), 0)::float8 as minutes,
      bool_or(c.further and c.place > ${size}) as more, (array_agg(c.keys) filter (where c.further and c.place = ${size}))[1] as last,
      (select string_agg(${card}, ',' order by s.place) from card s join item t on t.tenant_id = ${ctx.caller.tenantId} and t.id = s.id
        where s.n = c.n and s.further and s.place <= ${size}) as text,
      (select json_object_agg(l.lane, l.count) from (select lane, count(*)::int as count from card group by lane) l) as lanes
    from card c group by c.n`
}

/** The cursor of the next page of a column, or null. */
async function next(
  ctx: Context,
  open: OpenBoard,
  input: Input,
  { id }: BoardColumn,
  row: ColumnRow | undefined,
): Promise<string | null> {
  if (!row?.more || !row.last) return null
  const { cursor: _here, ...query } = input.query
  const { fingerprint } = await listingOf(ctx, open, { ...input, query }, id)
  return Buffer.from(JSON.stringify([fingerprint, ...row.last])).toString('base64url')
}

function columnText(column: BoardColumn, row: ColumnRow | undefined, next: string | null): string {
  const sums = row ?? { count: 0, points: 0, minutes: 0 }
  const sum = loadOf(column, sums)
  const head = { ...column, count: sums.count, sum, over: column.wip > 0 && sum > column.wip, next }
  return `${JSON.stringify(head).slice(0, -1)},"cards":[${row?.text ?? ''}]}`
}

async function lanesOf(ctx: Context, lane: Grouping | undefined, counts: Record<string, number>) {
  if (!lane) return []
  const names = await namesOf(ctx, lane, Object.keys(counts))
  return Object.entries(counts)
    .map(([value, count]) => ({ value, name: names.get(value) ?? '', count }))
    .sort((a, b) => Number(a.value === '') - Number(b.value === '') || (a.name < b.name ? -1 : 1))
}
