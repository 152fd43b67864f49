import type { Field, Item } from '@gantry/sdk'
import type { FieldChoice, FieldTypeName, Property } from '../../kernel/fields/fields.ts'
import type { Catalogue } from './catalogue-choices.tsx'
import { findCustomers, findItems } from './find-choices.tsx'
import { isReferenceKind, showReference } from './reference-name.tsx'

// The fields that a tenant has made, as properties of items.

const types: Readonly<Record<string, FieldTypeName>> = {
  text: 'text',
  longText: 'longText',
  number: 'number',
  money: 'money',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'moment',
  time: 'text',
  select: 'choice',
  cascade: 'choice',
  multiSelect: 'choices',
  user: 'person',
  userGroup: 'choice',
  item: 'choice',
  crm: 'choice',
  sku: 'choice',
  url: 'link',
}

/** Types that the service computes, or whose values are more than one line. */
const shownOnly = new Set(['formula', 'rollup', 'file', 'json', 'userGroup', 'sku'])

export interface CustomProperty extends Property {
  fieldId: string
}

export function customProperty(field: Field, known: Catalogue): CustomProperty {
  const { id, key, name, fieldType, multiple, precision, min, max, currency } = field
  const single = types[fieldType] ?? 'text'
  const several = { person: 'people', choice: 'choices' } as const
  const type = multiple && single in several ? several[single as keyof typeof several] : single
  const storedValue = (record: object) => (record as Item).Field?.find(({ fieldId }) => fieldId === id)?.value
  const others = (item: Item) => (item.Field ?? []).filter(({ fieldId }) => fieldId !== id)
  return {
    fieldId: id,
    path: `field.${key}`,
    name,
    type,
    ...(shownOnly.has(fieldType) ? { readOnly: true } : {}),
    ...choicesOf(field, known),
    min: min ?? undefined,
    max: max ?? undefined,
    precision: precision ?? undefined,
    currency,
    ...(isReferenceKind(fieldType) ? { render: showReference(fieldType, storedValue) } : {}),
    read: record => printable(storedValue(record), fieldType),
    write: value => ({ Field: [{ key, value: value === '' ? null : value }] }),
    paint: (value, record) => ({ Field: [...others(record as Item), { fieldId: id, key, value }] }),
  }
}

/** What the app cannot edit yet is shown as text. */
function printable(value: unknown, fieldType: string): unknown {
  if (fieldType === 'file') return Array.isArray(value) ? value.length : value
  return fieldType === 'json' && value !== undefined ? JSON.stringify(value) : value
}

function choicesOf({ fieldType, options }: Field, { people, findPeople }: Catalogue): Partial<Property> {
  if (fieldType === 'user') return { choices: people, ...findPeople }
  if (fieldType === 'item') return { findChoices: findItems, searched: true }
  if (fieldType === 'crm') return { findChoices: findCustomers, searched: true }
  if (options.length === 0) return {}
  const labelOf = (option: Field['options'][number]): string => {
    const parent = options.find(({ id }) => id === option.parentId)
    return parent ? `${labelOf(parent)} / ${option.label}` : option.label
  }
  const choices = options
    .filter(({ active }) => active !== false)
    .map((option): FieldChoice => ({ value: option.id ?? option.label, label: labelOf(option) }))
  return { choices }
}
