import { Type } from 'typebox'
import { everyone } from '../../kernel/access.ts'
import type { Stored, Values } from '../../kernel/record.ts'
import { resource } from '../../kernel/resource.ts'
import { sql } from '../../kernel/sql.ts'
import { Code, Codes, LongText, Name, Part, Parts, Text } from '../../kernel/values.ts'
import { checkField, inertParts } from './field-rules.ts'
import { fieldTypes } from './field-value.ts'

export { fieldsOf } from './field-list.ts'
export { defaultOf, type FieldType, type FieldValue, fieldTypes, isValueFault, readFieldValue } from './field-value.ts'
export { FormulaFault, type FormulaScope as Scope, type Term, termOf } from './formula/formula.ts'

/** A bound of values; `null` is none. */
const Bound = Type.Unsafe<number | null>({ type: 'number', minimum: -1e15, maximum: 1e15, default: null })

/** Digits behind the point; `null` is as many as there are. */
const Digits = Type.Unsafe<number | null>({
  type: 'integer',
  minimum: 0,
  maximum: 10,
  default: null,
  'x-column': 'numeric',
})

const shape = {
  key: Text(60, { examples: ['effort'] }),
  fieldType: Text(20, { default: 'text', examples: ['text'], description: `One of ${fieldTypes.join(', ')}.` }),
  allowDay: Type.Boolean(),
  allowHour: Type.Boolean(),
  allowMinute: Type.Boolean(),
  defaultValue: Text(4000),
  name: Name(200),
  prompt: Text(500),
  description: LongText(10_000),
  isCore: Type.Boolean(),
  isFeature: Type.Boolean(),
  featureName: Text(200),
  placement: Codes(),
  usage: Codes(),
  listEditable: Type.Boolean(),
  options: Parts(
    {
      id: Text(60),
      label: Name(200),
      color: Text(30),
      order: Code(),
      active: Type.Boolean(),
      parentId: Text(60, { description: 'Of a cascade: the option above it.' }),
    },
    ['label'],
    500,
  ),
  min: Bound,
  max: Bound,
  pattern: Text(512),
  unique: Type.Boolean({ description: 'No two items have the same value.' }),
  multiple: Type.Boolean({ description: 'Of records, codes and addresses: a list of them.' }),
  currency: Type.String({ maxLength: 3, pattern: '^([A-Z]{3})?$', description: 'Of money: the only one there is.' }),
  precision: Digits,
  formula: Text(2000, { examples: ['field.effort * 2 + points'] }),
  rollup: Part({ source: Text(20), field: Text(60), function: Text(10) }),
  help: Text(2000),
}

export type Field = Stored<typeof shape>
export type FieldValues = Values<typeof shape>

/** A property that a tenant gives its records, beyond those that every record of the kind has. */
export const fields = resource('Field', {
  about:
    'A property that a tenant adds to its records. Its `key` names it in conditions and imports, and never changes.',
  shape,
  // Which fields are part of the service itself is nobody's to say.
  serverSet: ['isCore'],
  may: { read: everyone },
  check: checkField,
  findings: inertParts,
  derived: {
    indexed: {
      schema: { type: 'boolean', description: 'Whether conditions and lists find its values by an index.' },
      value: f => sql`${f}.field_type not in ('formula', 'rollup', 'json')`,
    },
  },
  example: { name: 'Effort', prompt: 'How much work is it?', listEditable: true },
  // Whoever remembers fields forgets them as grants are forgotten.
  remembered: true,
})
