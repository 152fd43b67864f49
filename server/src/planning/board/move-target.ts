import { type BoardColumn, otherColumn, wipModes, wipPolicies } from '../../containers/board/board.ts'
import type { Item } from '../../items/item/item.ts'
import type { ItemPatch } from '../../items/item-body/item-body.ts'
import type { Context } from '../../kernel/context.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { type Grouping, groupingOf, storedValue } from './grouping.ts'
import type { OpenBoard } from './open-board.ts'

/** The column that a move names; refuses one that gives no value. */
export function targetColumn({ columns, grouping }: OpenBoard, wanted: string): BoardColumn {
  const found = columns.find(each => each.id === wanted)
  const refuse = (code: string, message: string) =>
    new RuleBroken(code, message, [fault(['column'], code, message, wanted)])
  if (!found) throw refuse('unknown-column', 'the board has no such column')
  if (found.id === otherColumn)
    throw refuse('column-other', 'cards cannot be moved into the column for all other values')
  if (!grouping || found.values.length === 0) throw refuse('column-value', 'the column has no value')
  return found
}

/** The column of a card. */
export function columnOf({ columns, grouping }: OpenBoard, card: Item): BoardColumn {
  const value = grouping?.of(card).toLowerCase() ?? ''
  const found = columns.find(each => each.values.some(one => one.toLowerCase() === value))
  return (
    found ?? {
      id: otherColumn,
      name: '',
      values: [],
      wip: 0,
      wipMode: wipModes.cards,
      wipPolicy: wipPolicies.warn,
      collapsed: false,
    }
  )
}

/** A card that has one of the column’s values keeps it; any other card gets the first one. */
export function patchForColumn({ grouping }: OpenBoard, card: Item, { values }: BoardColumn): ItemPatch {
  return grouping ? patchForValues(grouping, card, values) : {}
}

function patchForValues(grouping: Grouping, card: Item, values: readonly string[]): ItemPatch {
  const now = grouping.of(card).toLowerCase()
  const [first = ''] = values
  return values.some(each => each.toLowerCase() === now) ? {} : grouping.patchFor(first, card)
}

/** What a card gets from the lane, if one is given. */
export async function laneOf(
  ctx: Context,
  { board }: OpenBoard,
  lane: string | undefined,
): Promise<((card: Item) => ItemPatch) | undefined> {
  if (lane === undefined) return undefined
  const grouping = await groupingOf(ctx, board.swimlaneField)
  if (!grouping)
    throw new RuleBroken('no-lanes', 'the board has no lanes', [
      fault(['swimlane'], 'no-lanes', 'the board has no lanes'),
    ])
  return card => patchForValues(grouping, card, [storedValue(grouping, lane)])
}
