import {
  type Board,
  type BoardColumn,
  boards,
  customName,
  otherColumn,
  wipModes,
} from '../../containers/board/board.ts'
import { visibleItems } from '../../items/item/item.ts'
import { itemVocabulary } from '../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { type ConditionGroups, compile, type Vocabulary } from '../../language/conditions/conditions.ts'
import { boardContainers, columnsShown } from './columns.ts'
import { type Grouping, groupingOf } from './grouping.ts'

const t = raw('t')

/** A board with everything that is needed to find its cards. */
export interface OpenBoard {
  board: Board
  containerIds: Id[]
  grouping: Grouping | undefined
  vocabulary: Vocabulary
  /** The rows of its cards as `t`, and the condition that they fulfil, without the caller’s visibility. */
  from: Sql
  on: Sql
  columns: BoardColumn[]
}

export async function openBoard(ctx: Context, id: string): Promise<OpenBoard> {
  const board = await boards.get(ctx, id)
  const [containerIds, grouping, vocabulary] = [
    await boardContainers(ctx, board),
    await groupingOf(ctx, board.columnField),
    await itemVocabulary(ctx),
  ]
  const from = recent(ctx, board, containerIds)
  const on = holds(ctx, board.criteria.conditionGroup ?? [], vocabulary)
  const columns = await columnsShown(ctx, board, grouping, sql`${from} where ${and([on, visibleItems(ctx.caller, t)])}`)
  return { board, containerIds, grouping, vocabulary, from, on, columns }
}

const day = 86_400_000

/**
 * The open items of its containers, and those closed recently. Two selects, each with an index of its own: a single one
 * would read every item that was ever closed.
 */
function recent(ctx: Context, { includeClosedDays }: Board, containerIds: readonly Id[]): Sql {
  const among = sql`i.tenant_id = ${ctx.caller.tenantId} and i.container_id = any(${containerIds}::uuid[]) and not i.deleted`
  const open = sql`select i.* from item i where ${among} and i.closed_at is null`
  if (includeClosedDays === 0) return sql`(${open}) t`
  const since = new Date(ctx.now.getTime() - includeClosedDays * day)
  return sql`(${open} union all select i.* from item i where ${among} and not i.archived and i.closed_at > ${since}) t`
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
