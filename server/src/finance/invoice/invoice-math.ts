import { formatDecimal, multiply, percentOf, unitsOf } from '../../language/decimal.ts'

// The amounts of an invoice: what is printed can be recomputed from what is printed.

export interface PricedLine {
  quantity: string
  price: string
  taxCategory: string
  taxRate: string
}

/** The tax on all lines of one category and rate. */
export interface TaxTotal {
  category: string
  rate: string
  net: string
  tax: string
}

interface Totals {
  net: string
  gross: string
  taxes: TaxTotal[]
}

/** Quantity times price, rounded to the digits of the currency. */
export function lineAmount({ quantity, price }: PricedLine, digits: number): bigint {
  return multiply(unitsOf(quantity), unitsOf(price), digits)
}

/** The sums of lines. Tax is computed once for each category and rate, not line by line. */
export function totalsOf(lines: readonly PricedLine[], digits: number): Totals {
  const groups = Map.groupBy(lines, each => `${each.taxCategory} ${each.taxRate}`)
  const taxes = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const [{ taxCategory: category, taxRate: rate } = { taxCategory: '', taxRate: '0' }] = group
      const net = sum(group.map(each => lineAmount(each, digits)))
      return { category, rate, net, tax: percentOf(net, unitsOf(rate), digits) }
    })
  const net = sum(taxes.map(each => each.net))
  const text = (units: bigint) => formatDecimal(units, digits)
  return {
    net: text(net),
    gross: text(net + sum(taxes.map(each => each.tax))),
    taxes: taxes.map(each => ({ ...each, net: text(each.net), tax: text(each.tax) })),
  }
}

const sum = (all: readonly bigint[]) => all.reduce((total, each) => total + each, 0n)
