import type { Context } from '../../kernel/context.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { goneReferences } from '../../records/references/gone-references.ts'
import { ownerKinds } from '../../records/references/owner.ts'
import type { Field } from '../field/field.ts'
import { fieldsNamed, plainName } from '../fields-named.ts'
import { isItemProperty, isSortable, isUsableFor } from '../item-property/item-property.ts'
import { knownStates } from '../known-states.ts'
import { type Board, containersOf, sortModes, wipModes, wipPolicies } from './board-record.ts'

/** The types of custom fields that cards can be sorted by. */
export const groupingTypes: readonly string[] = ['select', 'user', 'boolean']

/** Findings for the parts of a board that have no effect. */
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
  found.push(...(await emptyValues(ctx, board, known.get(customName(columnField)))))
  if (!isCode(sortModes, board.sortMode))
    at('/sortMode', 'unknown-code', `${board.sortMode} is not a known code, so cards are sorted by rank`)
  else if (board.sortMode === sortModes.field && !sorts(sortField))
    at('/sortField', 'unknown-field', 'items have no such field, so cards are sorted by rank')
  if (board.rankScope !== 0)
    at('/rankScope', 'unknown-code', `${board.rankScope} is not a known code; a container has one order of ranks`)
  if (board.clockLight) at('/clockLight', 'no-clock', 'has no effect: cards do not show the state of clocks')
  const conditions = [
    { at: '/criteria/conditionGroup', groups: board.criteria.conditionGroup ?? [] },
    ...board.quickFilters.map(({ conditionGroup = [] }, i) => ({
      at: `/quickFilters/${i}/conditionGroup`,
      groups: conditionGroup,
    })),
  ]
  const containerIds = containersOf(board)
  for (const { at, groups } of conditions)
    found.push(...(await ctx.services.conditionFindings(ctx, groups, { containerIds, at })))
  return [...found, ...(await goneReferences(ctx, board))]
}

/** Findings for the values of columns that no item can have: states of no workflow, and options that a field lacks. */
async function emptyValues(ctx: Context, board: Board, custom: Field | undefined): Promise<Finding[]> {
  const isSelect = custom?.fieldType === 'select'
  if (board.columns.length === 0 || (board.columnField !== 'status' && !isSelect)) return []
  const containerIds = containersOf(board)
  const { anyValue, names } = isSelect
    ? {
        anyValue: false,
        names: new Set(custom.options.flatMap(({ id = '', label = '' }) => [id.toLowerCase(), label.toLowerCase()])),
      }
    : await knownStates(ctx, containerIds)
  if (anyValue) return []
  return board.columns.flatMap(({ values = [] }, i) =>
    values.flatMap((value, n) =>
      value === '' || names.has(value.toLowerCase())
        ? []
        : [
            {
              path: `/columns/${i}/values/${n}`,
              code: isSelect ? 'unknown-option' : 'unknown-state',
              message: isSelect ? 'the field has no such option' : 'no workflow of the board has this state',
            },
          ],
    ),
  )
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
