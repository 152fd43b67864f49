import { formats, instantOf, isDate, isInstant } from '../../../kernel/schema/formats.ts'
import type { Field, FieldType } from '../field-record.ts'
import { readCascade, readMultiSelect, readSelect } from './choice.ts'
import { readMoney, readNumber, readTime } from './number.ts'
import { isReferring, readReference } from './reference.ts'
import { readJson, readSku, readText, readUrl } from './text.ts'
import type { FieldRules, FieldValue, Read, ValueFault } from './value-types.ts'

/** Reads a value given for a field; `null` and `''` clear it. */
export function readFieldValue(field: FieldRules, given: unknown): FieldValue | ValueFault {
  if (given === null || given === undefined || given === '') return nothing()
  const read: Read | undefined = Object.hasOwn(readers, field.fieldType)
    ? readers[field.fieldType as keyof typeof readers]
    : undefined
  if (!read) return { code: 'field-type', message: `a field of type ${field.fieldType} cannot be written` }
  return isSeveral(field) ? readSeveral(field, given, read) : read(field, given)
}

export function isValueFault(value: FieldValue | ValueFault): value is ValueFault {
  return 'code' in value
}

/** Whether the value is computed from other values and cannot be written. */
export function isDerived({ fieldType }: { fieldType: string }): boolean {
  return fieldType === 'formula' || fieldType === 'rollup'
}

/** Whether the field holds a list where its type alone holds one value. */
export function isSeveral({ multiple, fieldType }: Pick<FieldRules, 'multiple' | 'fieldType'>): boolean {
  return multiple && mayBeSeveral(fieldType)
}

export function mayBeSeveral(fieldType: string): boolean {
  return isReferring(fieldType) || fieldType === 'sku' || fieldType === 'url'
}

/** The default value for a new record; undefined if the field has none, or an invalid one. */
export function defaultOf(field: FieldRules & Pick<Field, 'defaultValue'>): FieldValue | undefined {
  if (field.defaultValue === '') return undefined
  const value = readFieldValue(field, written(field))
  return isValueFault(value) || value.shown === null ? undefined : value
}

/** Defaults are texts: several values are a JSON array, as on the right side of a condition. */
function written(field: FieldRules & Pick<Field, 'defaultValue'>): unknown {
  const { fieldType, defaultValue } = field
  const json = parsed(defaultValue)
  if (fieldType === 'json') return json ?? defaultValue
  if (fieldType === 'money') return json !== null && typeof json === 'object' ? json : defaultValue
  if (fieldType === 'cascade') return Array.isArray(json) ? json : defaultValue
  if (fieldType !== 'multiSelect' && !isSeveral(field)) return defaultValue
  return Array.isArray(json) ? json : [defaultValue]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readers: Record<Exclude<FieldType, 'formula' | 'rollup'>, Read> = {
  text: (field, given) => readText(field, given, 4000),
  longText: (_field, given) => readText(undefined, given, 100_000),
  number: readNumber,
  money: readMoney,
  boolean: readBoolean,
  date: readDate,
  dateTime: readDateTime,
  time: readTime,
  select: readSelect,
  multiSelect: readMultiSelect,
  user: readReference,
  userGroup: readReference,
  item: readReference,
  crm: readReference,
  sku: readSku,
  url: readUrl,
  file: readReference,
  cascade: readCascade,
  json: readJson,
}

const maxValues = 100

/** Reads each value of a list; duplicates are dropped. */
function readSeveral(field: FieldRules, given: unknown, read: Read): FieldValue | ValueFault {
  const all = new Map<unknown, FieldValue>()
  for (const each of Array.isArray(given) ? given : [given]) {
    const value = read(field, each)
    if (isValueFault(value)) return value
    all.set(value.shown, value)
  }
  if (all.size === 0) return nothing()
  if (all.size > maxValues) return { code: 'maxItems', message: `must have at most ${maxValues} values` }
  const values = [...all.values()]
  return {
    shown: [...all.keys()],
    rows: values.flatMap(value => value.rows),
    references: values.flatMap(value => value.references),
  }
}

function nothing(): FieldValue {
  return { shown: null, rows: [], references: [] }
}

/** Stored as the number 1 or 0, because `item_value` has no boolean column. */
function readBoolean(_field: FieldRules, given: unknown): FieldValue | ValueFault {
  const truth = typeof given === 'string' ? { true: true, false: false }[given.trim().toLowerCase()] : given
  if (typeof truth !== 'boolean') return { code: 'boolean', message: 'must be true or false' }
  return { shown: truth, rows: [{ number: truth ? 1 : 0 }], references: [] }
}

function readDate(_field: FieldRules, given: unknown): FieldValue | ValueFault {
  if (typeof given !== 'string' || !isDate(given)) return { code: 'date', message: formats.date?.says ?? '' }
  return { shown: given, rows: [{ date: given }], references: [] }
}

function readDateTime(_field: FieldRules, given: unknown): FieldValue | ValueFault {
  if (typeof given !== 'string' || !isInstant(given))
    return { code: 'date-time', message: formats['date-time']?.says ?? '' }
  const instant = instantOf(given)
  return { shown: instant, rows: [{ instant }], references: [] }
}
