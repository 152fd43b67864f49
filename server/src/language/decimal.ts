// Decimal numbers as whole units of 10⁻⁴, so that no amount passes through a floating-point number. Every operation rounds
// once, half away from zero, which is what round(numeric) does in PostgreSQL: both compute the same amounts.

/** The number of decimal places of a unit. */
export const unitDigits = 4
const unitsPerOne = 10n ** BigInt(unitDigits)
/** What `numeric(19,4)` holds before the decimal point. */
const maxWholeDigits = 15

const written = /^(-?)(\d+)(?:\.(\d+))?$/

type DecimalFault = 'decimal' | 'precision' | 'range'

/** Reads `"1234.5"` as units, or says what is wrong with the text. */
export function readDecimal(text: string, digits = unitDigits): bigint | DecimalFault {
  const [, sign, whole = '', fraction = ''] = written.exec(text.trim()) ?? []
  if (sign === undefined) return 'decimal'
  if (fraction.replace(/0+$/, '').length > digits) return 'precision'
  if (whole.replace(/^0+/, '').length > maxWholeDigits) return 'range'
  const units = BigInt(whole + fraction.slice(0, unitDigits).padEnd(unitDigits, '0'))
  return sign ? -units : units
}

/** Returns the units of a decimal that the service stored or wrote itself. */
export function unitsOf(text: string): bigint {
  const units = readDecimal(text)
  if (typeof units === 'bigint') return units
  throw new Error(`not a decimal of ${unitDigits} places: ${text}`)
}

/** Writes `"1234.5000"`; with fewer digits, which the units must not exceed, `"1234.50"`. */
export function formatDecimal(units: bigint, digits = unitDigits): string {
  const text = String(units < 0n ? -units : units).padStart(unitDigits + 1, '0')
  const whole = text.slice(0, -unitDigits)
  const fraction = text.slice(-unitDigits)
  if (/[1-9]/.test(fraction.slice(digits))) throw new Error(`${whole}.${fraction} has more than ${digits} places`)
  return `${units < 0n ? '-' : ''}${whole}${digits > 0 ? `.${fraction.slice(0, digits)}` : ''}`
}

/** The quotient of two whole numbers as units, rounded to a number of decimal places. */
export function quotient(dividend: bigint, divisor: bigint, digits = unitDigits): bigint {
  const scale = 10n ** BigInt(unitDigits - digits)
  return roundedQuotient(dividend * unitsPerOne, divisor * scale) * scale
}

export function roundTo(units: bigint, digits: number): bigint {
  return quotient(units, unitsPerOne, digits)
}

export function multiply(a: bigint, b: bigint, digits = unitDigits): bigint {
  return quotient(a * b, unitsPerOne * unitsPerOne, digits)
}

export function divide(a: bigint, b: bigint, digits = unitDigits): bigint {
  return quotient(a, b, digits)
}

/** A percentage of an amount. */
export function percentOf(amount: bigint, percent: bigint, digits = unitDigits): bigint {
  return quotient(amount * percent, 100n * unitsPerOne * unitsPerOne, digits)
}

/** The amount for a time in seconds at a rate per hour. */
export function amountOfTime(seconds: bigint, rate: bigint, digits = unitDigits): bigint {
  return quotient(seconds * rate, 3600n * unitsPerOne, digits)
}

/** The number of decimal places of a currency. */
export function digitsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** Division of BigInts cuts off; half a unit and more goes away from zero. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const rounded = (2n * top + bottom) / (2n * bottom)
  return negative ? -rounded : rounded
}
