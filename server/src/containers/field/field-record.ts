import { Type } from 'typebox'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { Integer, LongText, Name, Part, Parts, Text } from '../../kernel/schema/values.ts'
import { Codes } from '../../records/code-table.ts'
import { placements, usages } from './field-codes.ts'

/** The types of fields. */
export const fieldTypes = [
  'text',
  'longText',
  'number',
  'money',
  'boolean',
  'date',
  'dateTime',
  'time',
  'select',
  'multiSelect',
  'user',
  'userGroup',
  'item',
  'crm',
  'sku',
  'url',
  'file',
  'formula',
  'rollup',
  'cascade',
  'json',
] as const

export type FieldType = (typeof fieldTypes)[number]

/** A limit for values; `null` means no limit. */
const Bound = Type.Unsafe<number | null>({ type: 'number', minimum: -1e15, maximum: 1e15, default: null })

/** The number of decimal places; `null` means no limit. */
const Digits = Type.Unsafe<number | null>({
  type: 'integer',
  minimum: 0,
  maximum: 10,
  default: null,
  'x-column': 'numeric',
})

/** The properties of a field. */
export const fieldShape = {
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
  placement: Codes(placements),
  usage: Codes(usages),
  listEditable: Type.Boolean(),
  options: Parts(
    {
      id: Text(60),
      label: Name(200),
      color: Text(30),
      order: Integer(),
      active: Type.Boolean(),
      parentId: Text(60, { description: 'For cascades: the id of the parent option.' }),
    },
    ['label'],
    500,
  ),
  min: Bound,
  max: Bound,
  pattern: Text(512),
  unique: Type.Boolean({ description: 'No two items have the same value.' }),
  multiple: Type.Boolean({
    description: 'Whether an item holds a list of values. For fields of records, codes and addresses.',
  }),
  currency: Type.String({
    maxLength: 3,
    pattern: '^([A-Z]{3})?$',
    description: 'For money: the only accepted currency; empty accepts every currency.',
  }),
  precision: Digits,
  formula: Text(2000, { examples: ['field.effort * 2 + points'] }),
  rollup: Part({ source: Text(20), field: Text(60), function: Text(10) }),
  help: Text(2000),
}

export type Field = Stored<typeof fieldShape>
export type FieldValues = Values<typeof fieldShape>
