import { seesEverything, visibleContainers } from '../../identity/visibility.ts'
import { type Caller, members, staff } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { withConditionIds } from '../../language/conditions/condition-ids.ts'
import { history } from '../../records/history/history.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { complete, duplicateIds, withIds } from '../../records/input/entries.ts'
import { ownerKind, refuseUnknownOwner } from '../../records/references/owner.ts'
import type { Departed } from '../container-filter/container-filter.ts'
import { boardFindings } from './board-findings.ts'
import {
  type Board,
  type BoardValues,
  boardColumn,
  boardShape,
  containersOf,
  quickFilter,
  wipPolicies,
} from './board-record.ts'

export { customName, groupingTypes, isGrouping } from './board-findings.ts'
export type { Board } from './board-record.ts'

export { containersOf, sortModes, wipModes, wipModeTable, wipPolicies, wipPolicyTable } from './board-record.ts'

export type BoardColumn = ReturnType<typeof columnsOf>[number]

/** Shows work as cards in columns. */
export const boards = resource('Board', {
  about:
    'Shows items as cards in columns: those of `containerIds`, or of the container that owns the board, which fulfil `criteria`. `columnField` is the field whose values are the columns. Without `columns`, the columns are the states of the workflow or the options of the field.',
  shape: boardShape,
  may: { read: staff, create: members, update: members, delete: members },
  place: placeOf,
  visible: whatIsSeen,
  check: checkBoard,
  findings: boardFindings,
  example: {
    name: 'Sprint board',
    columns: [
      { id: 'todo', name: 'To do', values: ['To do', 'Open'] },
      { id: 'doing', name: 'Doing', values: ['In progress'], wip: 3, wipPolicy: wipPolicies.block },
      { id: 'done', name: 'Done', values: ['Done'] },
    ],
  },
})

function placeOf({ owner, ownerId }: BoardValues): Place {
  return { containerId: owner === ownerKind.container ? ownerId.toLowerCase() : null }
}

/**
 * A board is visible to callers who see its owner: the container, the user, the members of the group, or the tenant.
 */
function whatIsSeen(caller: Caller, b: Sql): Sql {
  const { authority, userId } = caller
  if (seesEverything(authority)) return raw('true')
  const containerId = sql`(case when ${b}.owner = ${ownerKind.container} then ${b}.owner_id::uuid end)`
  return or([
    authority.insider
      ? sql`${b}.owner <> all(${[ownerKind.container, ownerKind.user, ownerKind.userGroup]}::int[])`
      : raw('false'),
    sql`(${b}.owner = ${ownerKind.container} and ${visibleContainers(caller, containerId)})`,
    sql`(${b}.owner = ${ownerKind.user} and ${b}.owner_id = ${userId})`,
    sql`(${b}.owner = ${ownerKind.userGroup} and ${b}.owner_id = any(${authority.groups}::text[]))`,
  ])
}

async function checkBoard(ctx: Context, board: BoardValues, before: Board | undefined): Promise<void> {
  const faults = [
    ...duplicateIds(columnsOf(board), 'columns'),
    ...duplicateIds(complete(quickFilter, board.quickFilters), 'quickFilters'),
  ]
  for (const [i, { id }] of board.columns.entries())
    if (id === otherColumn)
      faults.push(
        fault(['columns', i, 'id'], 'reserved', 'is reserved for the column of cards that no other column has', id),
      )
  const conditions = [board.criteria.conditionGroup, ...board.quickFilters.map(each => each.conditionGroup)]
  const count = conditions.flatMap(groups => groups ?? []).reduce((sum, group) => sum + group.condition.length, 0)
  if (count > maxConditions)
    faults.push(
      fault(['criteria', 'conditionGroup'], 'maxItems', `must have at most ${maxConditions} conditions in total`),
    )
  if (faults.length > 0) throw new Invalid(faults)
  await refuseUnknownOwner(ctx, board, before)
}

const maxConditions = 200

/** The column for cards whose value no other column has, so that no card disappears. */
export const otherColumn = 'other'

/** The columns of a board with all defaults filled in. */
export function columnsOf({ columns }: Pick<BoardValues, 'columns'>) {
  return complete(boardColumn, columns)
}

export function quickFiltersOf({ quickFilters }: Pick<BoardValues, 'quickFilters'>) {
  return complete(quickFilter, quickFilters)
}

async function createBoard(ctx: Context, values: Partial<BoardValues>): Promise<Board> {
  return await boards.create(ctx, tidied(values))
}

async function changeBoard(
  ctx: Context,
  id: Id,
  values: Partial<BoardValues>,
  more: { expect?: Expect },
): Promise<Board> {
  const before = await boards.get(ctx, id)
  return await boards.update(ctx, id, tidied(values, before), more)
}

/** Fills in defaults and gives every column, quick filter and condition an id. */
function tidied(values: Partial<BoardValues>, before?: Board): Partial<BoardValues> {
  const { columns, quickFilters, criteria, ownerId } = values
  return {
    ...values,
    ...(ownerId ? { ownerId: ownerId.toLowerCase() } : {}),
    ...(criteria && { criteria: { conditionGroup: withConditionIds(criteria.conditionGroup ?? []) } }),
    ...(columns && {
      columns: withIds(complete(boardColumn, columns), before ? columnsOf(before) : [], each => each.name),
    }),
    ...(quickFilters && {
      quickFilters: withIds(
        complete(quickFilter, quickFilters).map(each => ({
          ...each,
          conditionGroup: withConditionIds(each.conditionGroup),
        })),
        before ? quickFiltersOf(before) : [],
        each => each.name,
      ),
    }),
  }
}

/** Removes fields that a container no longer shows from the cards of the boards that show this container alone. */
export async function forgetFields(ctx: Context, departed: Departed): Promise<number> {
  const ids = [...departed.keys()]
  const all = await lockRecords(
    ctx,
    boards,
    sql`t.card_fields <> '{}' and (t.container_ids && ${ids}::uuid[] or (t.owner = ${ownerKind.container} and t.owner_id = any(${ids}::text[])))`,
  )
  return await updateRecords(
    ctx,
    boards,
    all.map(board => {
      const [only = '', ...more] = containersOf(board)
      const gone = new Set(more.length === 0 ? departed.get(only)?.flatMap(each => [each, `field.${each}`]) : [])
      return [board, { cardFields: board.cardFields.filter(each => !gone.has(each)) }]
    }),
  )
}

export const routes: Routes = {
  'GET /board': list(boards),
  'POST /board': create(boards, createBoard),
  'PUT /board': update(boards, changeBoard),
  'GET /board/:id': get(boards),
  'PUT /board/:id': update(boards, changeBoard),
  'PATCH /board/:id': update(boards, changeBoard),
  'DELETE /board/:id': remove(boards),
  'POST /board/:id/restore': restore(boards),
  'GET /board/:id/history': history(boards),
  'GET /board/:id/check': check(boards),
}
