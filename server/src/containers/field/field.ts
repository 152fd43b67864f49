import { resource } from '../../kernel/resource.ts'
import { sql } from '../../kernel/sql.ts'
import { fieldShape } from './field-record.ts'
import { checkField, inertParts } from './field-rules.ts'

export { usage } from './field-codes.ts'
export { fieldsOf } from './field-list.ts'
export type { Field } from './field-record.ts'
export { FormulaFault, type FormulaScope, type FormulaTerm, termOf } from './formula/formula.ts'
export { rowPath } from './row-path.ts'
export { defaultOf, isDerived, isSeveral, isValueFault, readFieldValue } from './value/value.ts'
export type { FieldValue } from './value/value-types.ts'

/** A custom field that a tenant adds to its records. */
export const fields = resource('Field', {
  about:
    'A custom property that a tenant adds to its records. Conditions and imports refer to it by its `key`, which never changes.',
  shape: fieldShape,
  // Only the service decides which fields are core fields.
  serverSet: ['isCore'],
  check: checkField,
  findings: inertParts,
  derived: {
    indexed: {
      schema: { type: 'boolean', description: 'Whether conditions and lists use an index to find its values.' },
      value: f => sql`${f}.field_type not in ('formula', 'rollup', 'json')`,
    },
  },
  example: { name: 'Effort', prompt: 'How much work is it?', listEditable: true },
  // Caches of fields are invalidated like those of grants.
  remembered: true,
})
