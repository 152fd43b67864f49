import type { FieldChoice, Here, OperatorName, Property } from '../fields/field-type.ts'
import { texts } from '../fields/values.ts'
import { type Condition, takesList } from './conditions.ts'
import { say } from './messages.ts'
import { dayChoices, momentName, spanChoices, spanName } from './relative-dates.ts'

// How the right side of a condition is chosen and shown.

const spans: readonly OperatorName[] = ['withinNext', 'withinLast', 'olderThan', 'laterThan']

export const isPeople = ({ type }: Property): boolean => type === 'person' || type === 'people'

const asText = (choice: FieldChoice): FieldChoice => ({ ...choice, value: String(choice.value) })

/** What is chosen for an operator: another kind of value than that of the property, where the operator needs one. */
export function valueProperty(property: Property, operator: OperatorName, here: Here): Property {
  const { path, name, choices = [], findChoices, open } = property
  const plain = { path: `value of ${path} ${operator}`, name, read: () => undefined, write: () => ({}) }
  const isDated = property.type === 'date' || property.type === 'moment'
  if (spans.includes(operator))
    return { ...plain, type: 'choice', searched: true, findChoices: async text => spanChoices(text) }
  if (operator === 'between') return { ...plain, type: 'text', name: say.betweenHint }
  if (isDated)
    return { ...plain, type: 'choice', searched: true, findChoices: async text => dayChoices(text, here.today) }
  if (property.type === 'boolean') return { ...plain, type: 'choice', choices: truths() }
  if (takesList(operator)) {
    const me = isPeople(property) ? [{ value: '@me', label: say.me }] : []
    const known = [...me, ...choices.filter(({ value }) => value !== '').map(asText)]
    const find = property.perRecord ? undefined : findChoices
    const search = find
      ? { searched: true, findChoices: async (text: string) => [...me, ...(await find(text, undefined)).map(asText)] }
      : {}
    return { ...plain, type: 'choices', choices: known, ...search, ...(open ? { open } : {}) }
  }
  return {
    ...plain,
    type:
      property.type === 'duration' || property.type === 'number' || property.type === 'money' ? property.type : 'text',
    currency: property.currency,
  }
}

const truths = (): FieldChoice[] => [
  { value: 'true', label: texts.boolean.print(true, {} as Property, {} as Here) },
  { value: 'false', label: texts.boolean.print(false, {} as Property, {} as Here) },
]

/** The values of a condition for its editor. */
export function toEditor(property: Property, { operator, values }: Condition): unknown {
  if (operator === 'between') return values.join('..')
  if (takesList(operator)) return values
  const [value = ''] = values
  if (property.type === 'number' || property.type === 'duration') return value === '' ? undefined : Number(value)
  if (property.type === 'money')
    return value === '' ? undefined : { amount: value, currency: property.currency || 'EUR' }
  return value
}

/** What the editor gave, as values of the condition; undefined if that is none. */
export function fromEditor(operator: OperatorName, value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (Array.isArray(value)) return value.length > 0 ? value.map(String) : undefined
  if (typeof value === 'object') return 'amount' in value ? [String(value.amount)] : undefined
  if (operator !== 'between') return [String(value)]
  const ends = String(value)
    .split('..')
    .map(each => each.trim())
  return ends.length === 2 ? ends : undefined
}

/** What the chip says about the values. */
export function valuesText(property: Property, { operator, values }: Condition, here: Here): string {
  if (spans.includes(operator)) return spanName(values[0] ?? '')
  if (operator === 'between') return values.map(each => one(property, each, here)).join(' – ')
  if (values.length > 2) return say.several(values.length)
  return values.map(each => one(property, each, here)).join(', ')
}

function one(property: Property, value: string, here: Here): string {
  if (value === '@me') return say.me
  if (property.type === 'date' || property.type === 'moment') return momentName(value, here.today)
  if (property.type === 'boolean') return truths().find(each => each.value === value)?.label ?? value
  if (property.type === 'duration') return texts.duration.print(Number(value), property, here) || value
  return property.choices?.find(choice => String(choice.value) === value)?.label ?? value
}
