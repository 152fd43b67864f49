import { digitsOf } from '../../../language/decimal.ts'
import { readDuration } from './duration.ts'
import type { FieldRules, FieldValue, ValueFault } from './value-types.ts'

const largest = 1e15

export function readNumber(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const number = numberOf(given)
  return typeof number === 'number' ? (tooFine(number, field.precision) ?? inRange(field, number)) : number
}

/** Reads a duration in any notation as minutes. */
export function readTime(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const minutes = readDuration(field, given)
  return typeof minutes === 'number' ? inRange(field, minutes) : minutes
}

/** Reads `{amount, currency}`, or the amount alone if the field has a currency. Replies always contain the currency. */
export function readMoney(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const { amount: said, currency: named, ...more } = partsOf(given)
  const currency = typeof named === 'string' ? named.trim().toUpperCase() : (named ?? field.currency)
  if (Object.keys(more).length > 0) return { code: 'money', message: 'must be an amount, or {amount, currency}' }
  if (typeof currency !== 'string' || !isCurrency(currency))
    return { code: 'currency', message: 'must have a currency code of three letters, such as EUR' }
  if (field.currency !== '' && currency !== field.currency)
    return { code: 'currency', message: `must be in ${field.currency}` }
  const amount = numberOf(said)
  if (typeof amount !== 'number') return amount
  const value = tooFine(amount, field.precision ?? digitsOf(currency)) ?? inRange(field, amount)
  if ('code' in value) return value
  return { ...value, shown: { amount, currency }, rows: [{ number: amount, text: currency }] }
}

function partsOf(given: unknown): Record<string, unknown> {
  return given !== null && typeof given === 'object' && !Array.isArray(given) ? { ...given } : { amount: given }
}

function isCurrency(text: string): boolean {
  return /^[A-Z]{3}$/.test(text)
}

function numberOf(given: unknown): number | ValueFault {
  const written = typeof given === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i.test(given.trim())
  const number = written ? Number(given) : given
  if (typeof number !== 'number' || !Number.isFinite(number)) return { code: 'number', message: 'must be a number' }
  if (Math.abs(number) > largest) return { code: 'range', message: `must be between -${largest} and ${largest}` }
  return number
}

function tooFine(number: number, precision: number | null): ValueFault | undefined {
  if (precision === null || Number(number.toFixed(precision)) === number) return undefined
  return { code: 'precision', message: `must have at most ${precision} decimal places` }
}

function inRange({ min, max }: FieldRules, number: number): FieldValue | ValueFault {
  if (min !== null && number < min) return { code: 'minimum', message: `must be at least ${min}` }
  if (max !== null && number > max) return { code: 'maximum', message: `must be at most ${max}` }
  return { shown: number, rows: [{ number }], references: [] }
}
