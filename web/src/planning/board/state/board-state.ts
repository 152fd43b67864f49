import type { BoardColumn } from '@gantry/sdk'

// What a board shows, and what a move makes of it. Pure: the same functions paint a move before it is sent and keep it afterwards.

/** A column: its settings, its figures, and the ids of the cards that are loaded, in order. */
export interface ColumnState extends Omit<BoardColumn, 'cards'> {
  ids: readonly string[]
}

export interface Lane {
  value: string
  name: string
  count: number
}

export interface BoardState {
  columnField: string
  laneField: string
  lanes: readonly Lane[]
  columns: readonly ColumnState[]
  /** The lane of each loaded card. */
  laneOf: ReadonlyMap<string, string>
}

/** Cards on their way to a column, directly before or after another card, or last. */
export interface Move {
  ids: readonly string[]
  column: string
  before?: string | undefined
  after?: string | undefined
  lane?: string | undefined
}

/** The column for cards whose value no other column has. */
export const otherColumn = 'other'

export const columnOf = ({ columns }: BoardState, id: string): ColumnState | undefined =>
  columns.find(({ ids }) => ids.includes(id))

/** What a card weighs in the figures of a column. */
export interface Weight {
  points?: number | undefined
  estimateMinutes?: number | undefined
}

/** The codes of `wipMode`: what a limit counts. */
export const limitUnits = { cards: 0, points: 1, minutes: 2 } as const

/** The codes of `wipPolicy`: what happens beyond a limit. */
export const limitPolicies = { warn: 0, block: 1 } as const

/** The load that a card adds to a column, in the unit of its limit. */
export function loadOf({ wipMode }: Pick<ColumnState, 'wipMode'>, { points = 0, estimateMinutes = 0 }: Weight): number {
  if (wipMode === limitUnits.points) return points
  return wipMode === limitUnits.minutes ? estimateMinutes : 1
}

/** The board after a move. Columns that it does not touch stay the same objects, so that nothing of them is rendered. */
export function applyMove(state: BoardState, move: Move, weightOf: (id: string) => Weight): BoardState {
  const moved = new Set(move.ids)
  const columns = state.columns.map(column => {
    const isTarget = column.id === move.column
    const leaving = column.ids.filter(id => moved.has(id))
    if (!isTarget && leaving.length === 0) return column
    const staying = leaving.length > 0 ? column.ids.filter(id => !moved.has(id)) : column.ids
    const arriving = isTarget ? move.ids : []
    const came = arriving.filter(id => !leaving.includes(id))
    const left = isTarget ? [] : leaving
    return withFigures(column, isTarget ? inserted(staying, arriving, move) : staying, came, left, weightOf)
  })
  const { lane } = move
  const laneOf =
    lane === undefined ? state.laneOf : new Map([...state.laneOf, ...move.ids.map(id => [id, lane] as const)])
  return { ...state, columns, laneOf, lanes: lane === undefined ? state.lanes : lanesWith(state, laneOf) }
}

function withFigures(
  column: ColumnState,
  ids: readonly string[],
  came: readonly string[],
  left: readonly string[],
  weightOf: (id: string) => Weight,
): ColumnState {
  const change = (of: (weight: Weight) => number) =>
    came.reduce((sum, id) => sum + of(weightOf(id)), 0) - left.reduce((sum, id) => sum + of(weightOf(id)), 0)
  const sum = column.sum + change(weight => loadOf(column, weight))
  return {
    ...column,
    ids,
    sum,
    count: column.count + came.length - left.length,
    minutes: column.minutes + change(({ estimateMinutes = 0 }) => estimateMinutes),
    over: (column.wip ?? 0) > 0 && sum > (column.wip ?? 0),
  }
}

function inserted(ids: readonly string[], arriving: readonly string[], { before, after }: Move): string[] {
  const beside = ids.indexOf(before ?? after ?? '')
  const at = beside < 0 ? ids.length : before ? beside : beside + 1
  return [...ids.slice(0, at), ...arriving, ...ids.slice(at)]
}

function lanesWith({ lanes, laneOf: old }: BoardState, laneOf: ReadonlyMap<string, string>): Lane[] {
  const change = new Map<string, number>()
  for (const [id, lane] of laneOf) {
    const before = old.get(id)
    if (before === lane) continue
    change.set(lane, (change.get(lane) ?? 0) + 1)
    if (before !== undefined) change.set(before, (change.get(before) ?? 0) - 1)
  }
  return lanes.map(lane =>
    change.has(lane.value) ? { ...lane, count: lane.count + (change.get(lane.value) ?? 0) } : lane,
  )
}

/** The move that brings a card to where its value and rank say it belongs; undefined if it is there already. */
export function settlingMove(
  state: BoardState,
  id: string,
  { value, rank, lane }: { value: string; rank: string; lane?: string | undefined },
  rankOf: (id: string) => string,
): Move | undefined {
  const target = columnFor(state, value)
  const now = columnOf(state, id)
  if (!target || !now) return undefined
  const others = target.ids.filter(each => each !== id)
  const next = others.findIndex(each => rankOf(each) > rank)
  const at = next < 0 ? others.length : next
  const sameLane = lane === undefined || state.laneOf.get(id) === lane
  if (now === target && target.ids.indexOf(id) === at && sameLane) return undefined
  const spot = next >= 0 ? { before: others[next] } : {}
  return { ids: [id], column: target.id, ...spot, ...(sameLane ? {} : { lane }) }
}

/** The column of a value; upper and lower case are the same. */
export function columnFor({ columns }: BoardState, value: string): ColumnState | undefined {
  const wanted = value.toLowerCase()
  return (
    columns.find(({ values }) => values.some(each => each.toLowerCase() === wanted)) ??
    columns.find(({ id }) => id === otherColumn)
  )
}

/** The column and the lane of a card that the service does not have yet. */
export interface NewCard {
  id: string
  /** Undefined, or empty, where the service decides. */
  value: string | undefined
  lane: string | undefined
}

/** The board with new cards, each last in its column. The service puts a card without a value of its own into the first one. */
export function withNewCards(
  state: BoardState,
  cards: readonly NewCard[],
  weightOf: (id: string) => Weight,
): BoardState {
  return cards.reduce((board, { id, value, lane }) => {
    const column = (value && columnFor(board, value)) || board.columns[0]
    if (!column || columnOf(board, id)) return board
    return applyMove(board, { ids: [id], column: column.id, ...(lane === undefined ? {} : { lane }) }, weightOf)
  }, state)
}

/** The board without a card that is no longer on it. */
export function without(state: BoardState, id: string, weightOf: (id: string) => Weight): BoardState {
  const columns = state.columns.map(column =>
    column.ids.includes(id)
      ? withFigures(
          column,
          column.ids.filter(each => each !== id),
          [],
          [id],
          weightOf,
        )
      : column,
  )
  return { ...state, columns }
}

/** The loaded cards of a column from top to bottom: with lanes, lane by lane, without those that are folded. */
export function cardsDown(
  { lanes, laneOf }: BoardState,
  { ids }: ColumnState,
  folded: ReadonlySet<string>,
): readonly string[] {
  if (lanes.length === 0) return ids
  return lanes.flatMap(({ value }) => (folded.has(value) ? [] : ids.filter(id => (laneOf.get(id) ?? '') === value)))
}
