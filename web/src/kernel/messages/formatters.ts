// A formatter takes much longer to make than to use, and rows use the same few: each is made once.

const dates = new Map<string, Intl.DateTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()

export const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  once(dates, locale, options, () => new Intl.DateTimeFormat(locale, options))

export const numberFormat = (locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  once(numbers, locale, options, () => new Intl.NumberFormat(locale, options))

function once<T>(known: Map<string, T>, locale: string, options: object, make: () => T): T {
  const name = `${locale} ${JSON.stringify(options)}`
  const found = known.get(name) ?? make()
  known.set(name, found)
  return found
}
