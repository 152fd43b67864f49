import { RE2JS } from 're2js'
import { formats, instantOf, isDate, isInstant, isUrl } from '../../kernel/formats.ts'
import { isId } from '../../kernel/id.ts'
import { readDuration } from './duration.ts'
import type { Field } from './field.ts'

/** What a field may hold. */
export const fieldTypes = [
  'text',
  'longText',
  'number',
  'boolean',
  'date',
  'dateTime',
  'time',
  'select',
  'multiSelect',
  'user',
  'url',
] as const

export type FieldType = (typeof fieldTypes)[number]

/** One custom value, checked: as it is shown on the record, and as rows of item_value. */
export interface FieldValue {
  shown: unknown
  rows: { text?: string; number?: number; instant?: string; date?: string; id?: string }[]
  references: { entity: string; id: string }[]
}

/** What is wrong with a value, for a fault at the place where it was given. */
export interface ValueFault {
  code: string
  message: string
}

/** What a field needs to tell for its values to be read. */
export type FieldRules = Pick<
  Field,
  'options' | 'min' | 'max' | 'pattern' | 'allowDay' | 'allowHour' | 'allowMinute'
> & {
  fieldType: string
}

/** Reads a value that somebody gave for a field; `null` and `''` clear it. */
export function readFieldValue(field: FieldRules, given: unknown): FieldValue | ValueFault {
  if (given === null || given === undefined || given === '') return { shown: null, rows: [], references: [] }
  const read: Read | undefined = Object.hasOwn(readers, field.fieldType)
    ? readers[field.fieldType as FieldType]
    : undefined
  return read
    ? read(field, given)
    : { code: 'field-type', message: `a field of the type ${field.fieldType} takes no values` }
}

export function isValueFault(value: FieldValue | ValueFault): value is ValueFault {
  return 'code' in value
}

/** What a new record holds when nobody says anything; undefined if the field has no default, or one that cannot be read. */
export function defaultOf(field: FieldRules & Pick<Field, 'defaultValue'>): FieldValue | undefined {
  if (field.defaultValue === '') return undefined
  const value = readFieldValue(
    field,
    field.fieldType === 'multiSelect' ? listOf(field.defaultValue) : field.defaultValue,
  )
  return isValueFault(value) || value.shown === null ? undefined : value
}

/** Several defaults are written as a JSON array, as lists are on the right side of a condition. */
function listOf(text: string): unknown {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {}
  return [text]
}

type Read = (field: FieldRules, given: unknown) => FieldValue | ValueFault

const readers: Record<FieldType, Read> = {
  text: (field, given) => readText(field, given, 4000),
  longText: (_field, given) => readText(undefined, given, 100_000),
  number: readNumber,
  boolean: readBoolean,
  date: readDate,
  dateTime: readDateTime,
  time: readTime,
  select: readSelect,
  multiSelect: readMultiSelect,
  user: readUser,
  url: readUrl,
}

/** A number is taken as the text it is written as: importers do not know which column is text. */
function readText(field: FieldRules | undefined, given: unknown, longest: number): FieldValue | ValueFault {
  if (typeof given !== 'string' && typeof given !== 'number') return { code: 'type', message: 'must be a text' }
  const text = String(given)
  if (text.length > longest) return { code: 'maxLength', message: `must have at most ${longest} characters` }
  if (field?.pattern && !matches(field.pattern, text))
    return { code: 'pattern', message: `must match ${field.pattern}` }
  return { shown: text, rows: [{ text }], references: [] }
}

/** Looks anywhere in the text, as JSON Schema does; who wants all of it writes ^ and $. A pattern that cannot be read holds nobody up. */
function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern)
  return compiled === undefined || compiled.matcher(text).find()
}

/** Linear in the text, whatever the pattern; undefined if it is none. */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return undefined
  }
}

const largest = 1e15

function readNumber(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const written = typeof given === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i.test(given.trim())
  const number = written ? Number(given) : given
  if (typeof number !== 'number' || !Number.isFinite(number)) return { code: 'number', message: 'must be a number' }
  if (Math.abs(number) > largest) return { code: 'range', message: `must lie between -${largest} and ${largest}` }
  return inRange(field, number)
}

function inRange({ min, max }: FieldRules, number: number): FieldValue | ValueFault {
  if (min !== null && number < min) return { code: 'minimum', message: `must be at least ${min}` }
  if (max !== null && number > max) return { code: 'maximum', message: `must be at most ${max}` }
  return { shown: number, rows: [{ number }], references: [] }
}

/** Kept as the number 1 or 0: rows have no truth values. */
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

/** Minutes, however they were written. */
function readTime(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const minutes = readDuration(field, given)
  return typeof minutes === 'number' ? inRange(field, minutes) : minutes
}

function readSelect(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const id = optionOf(field, given)
  return typeof id === 'string' ? { shown: id, rows: [{ text: id }], references: [] } : id
}

function readMultiSelect(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const ids = new Set<string>()
  for (const each of Array.isArray(given) ? given : [given]) {
    const id = optionOf(field, each)
    if (typeof id !== 'string') return id
    ids.add(id)
  }
  if (ids.size === 0) return { shown: null, rows: [], references: [] }
  return { shown: [...ids], rows: [...ids].map(text => ({ text })), references: [] }
}

/** By its id, else by its label: people and importers know labels only. */
function optionOf({ options }: FieldRules, given: unknown): string | ValueFault {
  const word = typeof given === 'number' ? String(given) : given
  if (typeof word !== 'string') return { code: 'type', message: 'must be the id or the label of an option' }
  const wanted = folded(word)
  const option = options.find(each => each.id === word) ?? options.find(each => folded(each.label ?? '') === wanted)
  if (option?.id === undefined)
    return {
      code: 'option',
      message: `must be one of ${
        options
          .slice(0, 20)
          .map(each => each.label)
          .join(', ') || 'the options, and there are none'
      }`,
    }
  if (option.active === false) return { code: 'option-inactive', message: 'is an option that is no longer offered' }
  return option.id
}

/** How two labels are compared. */
export function folded(label: string): string {
  return label.trim().normalize('NFC').toLowerCase()
}

function readUser(_field: FieldRules, given: unknown): FieldValue | ValueFault {
  if (typeof given !== 'string' || !isId(given)) return { code: 'user', message: 'must be the id of a user' }
  const id = given.toLowerCase()
  return { shown: id, rows: [{ id }], references: [{ entity: 'User', id }] }
}

function readUrl(_field: FieldRules, given: unknown): FieldValue | ValueFault {
  const text = typeof given === 'string' ? given.trim() : ''
  if (text === '' || text.length > 2000 || !isUrl(text)) return { code: 'url', message: formats.url?.says ?? '' }
  return { shown: text, rows: [{ text }], references: [] }
}
