import {
  type Board,
  type BoardColumn,
  boards,
  customName,
  otherColumn,
  wipModes,
} from '../../containers/board/board.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { type ConditionGroups, compile, type Vocabulary } from '../../language/conditions/conditions.ts'
import { type CardSource, pastCards, presentCards } from './card-source.ts'
import { boardContainers, columnsShown } from './columns.ts'
import { type Grouping, groupingOf } from './grouping.ts'

const t = raw('t')

/** A board with everything that is needed to find its cards. */
export interface OpenBoard extends CardSource {
  board: Board
  containerIds: Id[]
  grouping: Grouping | undefined
  /** The condition that its cards fulfil. */
  on: Sql
  columns: BoardColumn[]
}

/** Opens a board with the cards of now, or of an earlier moment. */
export async function openBoard(ctx: Context, id: string, asOf?: Date): Promise<OpenBoard> {
  const board = await boards.get(ctx, id)
  const [containerIds, grouping] = [await boardContainers(ctx, board), await groupingOf(ctx, board.columnField)]
  const source = asOf ? await pastCards(ctx, board, containerIds, asOf) : await presentCards(ctx, board, containerIds)
  const on = holds(ctx, board.criteria.conditionGroup ?? [], source.vocabulary)
  const seen = sql`${source.from} where ${and([on, source.kind.visible(ctx.caller, t)])}`
  const columns = await columnsShown(ctx, board, grouping, seen)
  return { board, containerIds, grouping, ...source, on, columns }
}

export function holds(ctx: Context, groups: ConditionGroups, vocabulary: Vocabulary): Sql {
  if (groups.length === 0) return raw('true')
  const viewer = { userId: ctx.caller.userId, now: ctx.now, timezone: ctx.caller.timezone }
  return sql`(${compile(groups, vocabulary, viewer)}) is true`
}

/** The condition for the cards of a column. */
export function inColumn({ grouping, columns }: OpenBoard, column: BoardColumn): Sql {
  if (!grouping) return raw(column.id === otherColumn ? 'true' : 'false')
  const value = sql`lower(${grouping.value})`
  if (column.id !== otherColumn) return sql`${value} = any(${lowered(column.values)}::text[])`
  return sql`${value} <> all(${lowered(columns.flatMap(each => each.values))}::text[])`
}

export const lowered = (values: readonly string[]) => values.map(each => each.toLowerCase())

/** The weights of a card for the limit of its column: its points and its minutes. */
export function weights(open: OpenBoard): { points: Sql; minutes: Sql } {
  return { points: estimateOf(open) ?? sql`t.points`, minutes: sql`t.estimate_minutes` }
}

/** The weights as the caller sees them: the sum of one card is its value, so a hidden value weighs nothing. */
export function weightsShown(open: OpenBoard): { points: Sql; minutes: Sql } {
  const shown = (name: string) => {
    const path = open.vocabulary.resolve(name)
    return path && path.kind !== 'set' ? path.value : raw('0')
  }
  return { points: estimateOf(open) ?? shown('points'), minutes: shown('estimateMinutes') }
}

/** The value of the field that the board counts instead of points. */
function estimateOf({ board, vocabulary }: OpenBoard): Sql | undefined {
  const { estimateField } = board
  const path =
    estimateField === ''
      ? undefined
      : (vocabulary.resolve(estimateField) ?? vocabulary.resolve(`field.${customName(estimateField)}`))
  return path?.kind === 'number' || path?.kind === 'duration' ? path.value : undefined
}

/** The load of a column in the unit of its limit. */
export function loadOf({ wipMode }: BoardColumn, sums: Sums): number {
  return wipMode === wipModes.points ? sums.points : wipMode === wipModes.minutes ? sums.minutes : sums.count
}

export interface Sums {
  count: number
  points: number
  minutes: number
}
