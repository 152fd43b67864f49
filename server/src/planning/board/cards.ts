import { type BoardColumn, boards, quickFiltersOf, sortModes } from '../../containers/board/board.ts'
import { isSortable } from '../../containers/item-property/item-property.ts'
import { includeQuery, readInclude } from '../../items/item-parts.ts'
import { refuseOfPresent, refuseUntold } from '../../items/past/past.ts'
import { sortableBy } from '../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import { type Listing, readListing } from '../../kernel/list/listing.ts'
import { type Input, operation } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { and, raw, sql } from '../../kernel/sql.ts'
import type { ConditionGroups } from '../../language/conditions/conditions.ts'
import { asOfQuery, readAsOf } from '../../records/history/as-of.ts'
import { cardsSchema } from './cards-schema.ts'
import { type ColumnRow, cardTexts, readColumns } from './column-cards.ts'
import { type Grouping, groupingOf, namesOf } from './grouping.ts'
import { holds, inColumn, loadOf, type OpenBoard, openBoard } from './open-board.ts'

const t = raw('t')

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
    fields: {
      type: 'string',
      description: 'The properties of the cards, instead of those that the board selects: `status,Tags,spentMinutes`.',
    },
    include: includeQuery,
    asOf: {
      ...asOfQuery,
      description: `The cards as they were, on the board as it is now. ${asOfQuery.description} A board with conditions or fields that the log does not tell is refused (422 \`not-in-past\`).`,
    },
  },
  reply: { status: 200, schema: cardsSchema, description: 'The columns with their cards.' },
  refusals: [404, 422],
  async run(caller, input) {
    const asOf = await readAsOf(caller, input.query.asOf)
    if (asOf) refuseOfPresent({ include: input.query.include })
    const ctx = asOf ? caller.derive({ now: asOf }) : caller
    const parts = readInclude(input.query.include)
    const open = await openBoard(ctx, input.params.id ?? '', asOf)
    const lane = await groupingOf(ctx, open.board.swimlaneField)
    const wanted = readQuery(open, input)
    if (asOf) for (const groups of wanted.filters) refuseUntold(open.vocabulary, groups)
    const listing = await listingOf(ctx, open, input, wanted.column?.id)
    const size = listing.limit ?? 50
    const rows = await readColumns(ctx, open, listing, {
      size,
      lane,
      where: and([
        open.on,
        open.kind.visible(ctx.caller, t),
        ...wanted.filters.map(groups => holds(ctx, groups, open.vocabulary)),
        wanted.swimlane !== undefined && lane
          ? sql`lower(${lane.value}) = ${wanted.swimlane.toLowerCase()}`
          : raw('true'),
        wanted.column ? inColumn(open, wanted.column) : raw('true'),
      ]),
    })
    const shown: string[] = []
    const texts = await cardTexts(ctx, rows, parts)
    for (const [n, column] of open.columns.entries()) {
      if (wanted.column && wanted.column !== column) continue
      const row = rows.find(each => each.n === n)
      shown.push(columnText(column, row, texts.get(n) ?? '', await next(ctx, open, input, column, row)))
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

const known = ['column', 'quickFilter', 'swimlane', 'asOf']

/** The sort order of the cards. A cursor is valid only for the same order. */
async function listingOf(
  ctx: Context,
  { board, vocabulary, kind }: OpenBoard,
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
  const { sort: _mine, include: _parts, ...rest } = query
  return await readListing(
    ctx,
    kind,
    { ...rest, ...(column === undefined ? {} : { column }) },
    { order, sortable, known },
  )
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

function columnText(column: BoardColumn, row: ColumnRow | undefined, cards: string, next: string | null): string {
  const sums = row ?? { count: 0, points: 0, minutes: 0 }
  const sum = loadOf(column, sums)
  const over = column.wip > 0 && sum > column.wip
  const head = { ...column, count: sums.count, sum, minutes: sums.minutes, over, next }
  return `${JSON.stringify(head).slice(0, -1)},"cards":[${cards}]}`
}

async function lanesOf(ctx: Context, lane: Grouping | undefined, counts: Record<string, number>) {
  if (!lane) return []
  const names = await namesOf(ctx, lane, Object.keys(counts))
  return Object.entries(counts)
    .map(([value, count]) => ({ value, name: names.get(value) ?? '', count }))
    .sort((a, b) => Number(a.value === '') - Number(b.value === '') || (a.name < b.name ? -1 : 1))
}
