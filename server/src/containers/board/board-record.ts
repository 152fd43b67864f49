import { Type } from 'typebox'
import type { Id } from '../../kernel/id.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { Count, LongText, Name, Part, Parts, Refs, Text, Texts } from '../../kernel/schema/values.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { ownerKind, owners } from '../../records/references/owner.ts'

/** The codes of a column's `wipMode`: the unit of its limit. */
export const wipModes = { cards: 0, points: 1, minutes: 2 } as const
export const wipModeTable = codeTableOfCodes('board.wipMode', wipModes)

/** The codes of a column's `wipPolicy`: what happens beyond its limit. */
export const wipPolicies = { warn: 0, block: 1 } as const
export const wipPolicyTable = codeTableOfCodes('board.wipPolicy', wipPolicies)

/** The codes of `sortMode`: the order of the cards in a column. */
export const sortModes = { rank: 0, field: 1 } as const

export const boardColumn = {
  id: Text(100),
  name: Text(200),
  values: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 100 }),
  wip: Count(1_000_000_000),
  wipMode: Code(wipModeTable),
  wipPolicy: Code(wipPolicyTable),
  collapsed: Type.Boolean(),
}

export const quickFilter = { id: Text(100), name: Text(200), conditionGroup: ConditionGroups }

/** The properties of a board. */
export const boardShape = {
  name: Name(200),
  description: LongText(10_000),
  owner: Code(owners),
  ownerId: Text(100),
  containerIds: Refs('Container', 100),
  criteria: Part({ conditionGroup: ConditionGroups }),
  columnField: Text(200, { default: 'status' }),
  columns: Parts(boardColumn, [], 100),
  swimlaneField: Text(200),
  cardFields: Texts(100, 200),
  quickFilters: Parts(quickFilter, [], 100),
  rankScope: Code(codeTableOfCodes('board.rankScope', { container: 0 })),
  sortMode: Code(codeTableOfCodes('board.sortMode', sortModes)),
  sortField: Text(200),
  sortDescending: Type.Boolean(),
  estimateField: Text(200),
  clockLight: Type.Boolean(),
  includeClosedDays: Type.Integer({ minimum: 0, maximum: 36_500, default: 14 }),
}

export type Board = Stored<typeof boardShape>
export type BoardValues = Values<typeof boardShape>

/** The containers whose items a board shows; an empty list means all containers. */
export function containersOf({
  containerIds,
  owner,
  ownerId,
}: Pick<BoardValues, 'containerIds' | 'owner' | 'ownerId'>): Id[] {
  if (containerIds.length > 0) return containerIds
  return owner === ownerKind.container ? [ownerId] : []
}
