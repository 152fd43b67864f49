import type { BulkChange, FieldType, FieldTypeName, OperatorName } from './field-type.ts'
import { ShowChoice, ShowChoices, ShowDay, ShowLink, ShowText, ShowTruth } from './show.tsx'
import { texts } from './values.ts'

export type { FieldChoice, FieldType, FieldTypeName, Here, Look, OperatorName, Property } from './field-type.ts'

// Which operators a condition may have on each type, the most usual first.

const filled = ['isEmpty', 'isNotEmpty'] as const
const compared = ['equals', 'notEquals', 'greaterThan', 'greaterOrEqual', 'lessThan', 'lessOrEqual', 'between'] as const
const ofText: OperatorName[] = ['contains', 'notContains', 'equals', 'notEquals', 'startsWith', 'endsWith', ...filled]
const ofChoice: OperatorName[] = ['in', 'notIn', ...filled]
const ofDay: OperatorName[] = [
  'equals',
  'lessThan',
  'lessOrEqual',
  'greaterThan',
  'greaterOrEqual',
  'withinNext',
  'withinLast',
  'olderThan',
  'laterThan',
  'between',
  ...filled,
]

type Rest = Omit<FieldType, 'parse' | 'print'>

const one: readonly BulkChange[] = ['set', 'clear']
const several: readonly BulkChange[] = ['set', 'clear', 'add', 'remove']
const textual: Rest = { Show: ShowText, operators: ofText, bulk: one }
const figure: Rest = { ...textual, operators: [...compared, ...filled] }
const chosen: Rest = { Show: ShowChoice, operators: ofChoice, bulk: one }

const rest: Record<FieldTypeName, Rest> = {
  text: textual,
  longText: textual,
  number: figure,
  money: figure,
  duration: figure,
  date: { Show: ShowDay, operators: ofDay, bulk: one },
  moment: { Show: ShowText, operators: ofDay, bulk: one },
  choice: chosen,
  person: chosen,
  choices: { Show: ShowChoices, operators: [...ofChoice, 'containsAll'], bulk: several },
  people: { Show: ShowChoices, operators: ofChoice, bulk: several },
  boolean: { Show: ShowTruth, operators: ['equals', ...filled], bulk: one },
  link: { ...textual, Show: ShowLink },
}

/** Everything about the values of a type of field. No other code shows or reads them; `editors.tsx` edits them. */
export const fieldTypes = Object.fromEntries(
  Object.entries(rest).map(([name, type]) => [name, { ...type, ...texts[name as FieldTypeName] }]),
) as Record<FieldTypeName, FieldType> // the entries are those of the record
