import { isId } from '../../../kernel/id.ts'
import type { FieldRules, FieldValue, ValueFault } from './value-types.ts'

/** The kind of record that a field of each type refers to. */
const kinds: Readonly<Record<string, { entity: string; called: string }>> = {
  user: { entity: 'User', called: 'a user' },
  userGroup: { entity: 'UserGroup', called: 'a user group' },
  item: { entity: 'Item', called: 'an item' },
  crm: { entity: 'Crm', called: 'a customer' },
  file: { entity: 'File', called: 'a file' },
}

export function isReferring(fieldType: string): boolean {
  return Object.hasOwn(kinds, fieldType)
}

/** Reads the id of a record; its visibility is checked where the value is written. */
export function readReference({ fieldType }: FieldRules, given: unknown): FieldValue | ValueFault {
  const kind = kinds[fieldType]
  if (!kind || typeof given !== 'string' || !isId(given))
    return { code: fieldType, message: `must be the id of ${kind?.called}` }
  const id = given.toLowerCase()
  return { shown: id, rows: [{ id }], references: [{ entity: kind.entity, id }] }
}
