import { type TSchemaOptions, Type } from 'typebox'
import { formatDecimal, readDecimal, unitDigits, unitsOf } from './decimal.ts'

// Property types for decimal numbers. Replies hold texts, because a program that reads JSON numbers as floating point would
// round them; requests may hold numbers, too.

const lowestAmount = '-999999999999999.9999'

/** An amount of money: `"1234.5000"`. */
export function Money(options: DecimalOptions = {}) {
  return Type.Unsafe<string>({ ...decimal(19, lowestAmount, options), default: '0.0000' })
}

/** The same, where `null` is no amount at all. */
export function OptionalMoney(options: DecimalOptions = {}) {
  return Type.Unsafe<string | null>({ ...decimal(19, lowestAmount, options), type: ['string', 'null'], default: null })
}

/** A percentage: `"33.3333"`. */
export function Percent(options: DecimalOptions = {}) {
  return Type.Unsafe<string>({ ...decimal(7, '0', options), default: '0.0000' })
}

/** A factor: `"1.5000"`. */
export function Factor(options: DecimalOptions = {}) {
  return Type.Unsafe<string>({ ...decimal(6, '0', options), default: '1.0000' })
}

/** The same, where `null` is no factor at all. */
export function OptionalFactor(options: DecimalOptions = {}) {
  return Type.Unsafe<string | null>({ ...decimal(6, '0', options), type: ['string', 'null'], default: null })
}

/** An ISO 4217 code; `''` is none. */
export const Currency = Type.String({ maxLength: 3, pattern: '^([A-Z]{3})?$' })

interface DecimalOptions extends TSchemaOptions {
  /** The least value that is accepted; `'0'` refuses negative ones. */
  least?: string
  /** The largest value that is accepted, if the column holds more. */
  most?: string
}

function decimal(
  precision: 6 | 7 | 19,
  lowest: string,
  { least = lowest, most, ...options }: DecimalOptions,
): TSchemaOptions {
  const [min, max] = [unitsOf(least), most === undefined ? 10n ** BigInt(precision) - 1n : unitsOf(most)]
  const outOfRange = { code: 'range', message: `must be between ${least} and ${formatDecimal(max)}` }
  return {
    type: 'string',
    format: 'decimal',
    maxLength: 40,
    description: 'A decimal with at most four places. In requests a number, too.',
    ...options,
    'x-column': 'decimal',
    'x-read': canonical,
    'x-check': (given: unknown) => {
      const units = typeof given === 'string' ? readDecimal(given) : 'decimal'
      if (typeof units === 'bigint') return units < min || units > max ? outOfRange : undefined
      return units === 'decimal' ? undefined : units === 'range' ? outOfRange : tooPrecise
    },
  }
}

const tooPrecise = { code: 'precision', message: `must have at most ${unitDigits} decimal places` }

/** Equal values get one notation. What is no decimal stays as it is, for the validation to name. */
function canonical(given: unknown): unknown {
  if (typeof given !== 'string' && typeof given !== 'number') return given
  const units = readDecimal(String(given))
  return typeof units === 'bigint' ? formatDecimal(units) : String(given)
}
