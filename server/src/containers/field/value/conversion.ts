import { folded, type Option } from '../field-option.ts'
import type { Field, FieldType } from '../field-record.ts'
import { isSeveral } from './value.ts'
import type { FieldRules } from './value-types.ts'

// The safe type changes of a field that has values, and the conversion of each value. The converted value is then
// validated by the new type, like a written one.

/** Converts a stored value to an input of the new type; undefined if that is impossible. */
type Turn = (value: unknown, before: FieldRules) => unknown

const same: Turn = value => value
const written: Turn = value => String(value)
const alone: Turn = value => (Array.isArray(value) && value.length === 1 ? value[0] : undefined)
const listed: Turn = value => [value]

const turns: Partial<Record<FieldType, Partial<Record<FieldType, Turn>>>> = {
  text: {
    longText: same,
    number: same,
    boolean: same,
    date: same,
    dateTime: same,
    select: same,
    multiSelect: listed,
    url: same,
    sku: same,
    json: same,
  },
  longText: { text: same, json: same },
  number: { text: written, longText: written, money: same, time: same, json: same },
  money: { number: amountOf, text: value => `${amountOf(value)} ${Reflect.get(Object(value), 'currency')}` },
  boolean: { select: written, text: written, json: same },
  date: { dateTime: value => `${value}T00:00:00.000Z`, text: same },
  dateTime: { text: same },
  time: { number: same, text: written },
  select: { multiSelect: listed, cascade: same, text: labelOf, longText: labelOf },
  multiSelect: { select: alone, text: (value, before) => labels(value, before, ', ') },
  cascade: { multiSelect: same, text: (value, before) => labels(value, before, ' / ') },
  url: { text: same, longText: same },
  sku: { text: same },
}

/** The conversion to the new type; undefined if there is no safe one. */
export function turnOf(before: FieldRules, after: FieldRules): Turn | undefined {
  if (before.fieldType === after.fieldType) {
    if (isSeveral(before) === isSeveral(after)) return same
    return isSeveral(after) ? listed : alone
  }
  if (isSeveral(before) || isSeveral(after)) return undefined
  return turns[before.fieldType as FieldType]?.[after.fieldType as FieldType]
}

/** The rules for values that are already stored: limits apply only to new values, and inactive options stay valid. */
export function lenient<F extends FieldRules>(field: F): F {
  const options = field.options.map(option => ({ ...option, active: true }))
  return {
    ...field,
    options,
    min: null,
    max: null,
    pattern: '',
    precision: 10,
    allowDay: false,
    allowHour: false,
    allowMinute: false,
  }
}

/** Appends options for the existing values; a text becomes the label of its option. */
export function optionsFor(before: Pick<Field, 'fieldType'>, options: Option[], values: readonly string[]): Option[] {
  const known = new Set(options.flatMap(each => [each.id ?? '', folded(each.label ?? '')]))
  const fresh = new Map<string, Option>()
  for (const value of values) {
    const option = before.fieldType === 'boolean' ? truths[value] : { label: value }
    const called = folded(option?.label ?? '')
    if (!option || called === '' || called.length > 200) continue
    if (!known.has(option.id ?? called) && !known.has(called) && !fresh.has(called)) fresh.set(called, option)
  }
  return [...options, ...fresh.values()]
}

const truths: Readonly<Record<string, Option>> = {
  true: { id: 'true', label: 'Yes' },
  false: { id: 'false', label: 'No' },
}

function amountOf(value: unknown): unknown {
  return Reflect.get(Object(value), 'amount')
}

function labelOf(value: unknown, { options }: FieldRules): unknown {
  return options.find(each => each.id === value)?.label ?? value
}

function labels(value: unknown, before: FieldRules, between: string): string {
  return [value]
    .flat()
    .map(each => labelOf(each, before))
    .join(between)
}
