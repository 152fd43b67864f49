import type { Context } from '../../kernel/context.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { ownerKinds } from '../../records/references/owner.ts'
import { inertConditions } from '../criteria.ts'
import { fieldsNamed, plainName } from '../fields-named.ts'
import { isItemProperty, isSortable, isUsableFor } from '../item-property/item-property.ts'
import type { Board } from './board-record.ts'
import { sortModes, wipModes, wipPolicies } from './board-record.ts'

/** The types of custom fields that cards can be sorted by. */
export const groupingTypes: readonly string[] = ['select', 'user', 'boolean']

/**
 * Findings for the parts of a board that have no effect. The paths of conditions are checked in `items`, where the
 * vocabulary is known.
 */
export async function boardFindings(board: Board, ctx: Context): Promise<Finding[]> {
  const { columnField, swimlaneField, sortField, cardFields, estimateField } = board
  const found: Finding[] = []
  const at = (path: string, code: string, message: string) => found.push({ path, code, message })
  const named = [columnField, swimlaneField, sortField, estimateField, ...cardFields].map(customName)
  const known = await fieldsNamed(ctx, named.filter(Boolean))
  const groups = (field: string) =>
    isGrouping(field) || groupingTypes.includes(known.get(customName(field))?.fieldType ?? '')
  const shows = (field: string) => known.has(customName(field)) || field === 'assignee' || isItemProperty(field)
  const sorts = (field: string) => known.has(customName(field)) || isSortable(field)

  if (!ownerKinds[board.owner]) at('/owner', 'unknown-code', `${board.owner} is not a known code`)
  if (!groups(columnField))
    at(
      '/columnField',
      'not-a-grouping',
      'cards cannot be grouped by this field, so all of them are in the column `other`',
    )
  if (swimlaneField !== '' && !groups(swimlaneField))
    at('/swimlaneField', 'not-a-grouping', 'cards cannot be grouped by this field, so the board has no lanes')
  for (const [i, field] of cardFields.entries())
    if (!shows(field)) at(`/cardFields/${i}`, 'unknown-field', 'items have no such field')
  if (estimateField !== '' && !shows(estimateField)) at('/estimateField', 'unknown-field', 'items have no such field')
  for (const [i, { wipMode = wipModes.cards, wipPolicy = wipPolicies.warn }] of board.columns.entries()) {
    if (!isCode(wipModes, wipMode))
      at(`/columns/${i}/wipMode`, 'unknown-code', `${wipMode} is not a known code, so the limit counts cards`)
    if (!isCode(wipPolicies, wipPolicy))
      at(`/columns/${i}/wipPolicy`, 'unknown-code', `${wipPolicy} is not a known code, so the limit only warns`)
  }
  if (!isCode(sortModes, board.sortMode))
    at('/sortMode', 'unknown-code', `${board.sortMode} is not a known code, so cards are sorted by rank`)
  else if (board.sortMode === sortModes.field && !sorts(sortField))
    at('/sortField', 'unknown-field', 'items have no such field, so cards are sorted by rank')
  if (board.rankScope !== 0)
    at('/rankScope', 'unknown-code', `${board.rankScope} is not a known code; a container has one order of ranks`)
  if (board.clockLight) at('/clockLight', 'no-clock', 'has no effect: cards do not show the state of clocks')
  found.push(...inertConditions(board.criteria.conditionGroup ?? [], '/criteria/conditionGroup'))
  for (const [i, { conditionGroup = [] }] of board.quickFilters.entries())
    found.push(...inertConditions(conditionGroup, `/quickFilters/${i}/conditionGroup`))
  return found
}

const isCode = (codes: Readonly<Record<string, number>>, code: number) => Object.values(codes).includes(code)

/**
 * Whether cards can be grouped by this item property. `assignee` is the only accepted alias, because a custom field may
 * have any other alias as its key.
 */
export function isGrouping(field: string): boolean {
  return field === 'assignee' || isUsableFor('grouping', field)
}

/** The id or key of a custom field, with or without the prefix `field.` that conditions use. */
export const customName = (field: string) => plainName(field.replace(/^field\./, ''))
