import { demand, managers } from '../../../kernel/access.ts'
import { raw, sql } from '../../../kernel/sql.ts'
import { formatDecimal, unitsOf } from '../../../language/decimal.ts'
import { readBill, readCost } from '../../../records/amounts.ts'
import { sources } from '../../query/source.ts'
import { computedReport } from '../report.ts'
import type { ReportInput } from '../report-declaration.ts'
import { rowOf } from '../report-schema.ts'
import {
  decimal,
  groupValues,
  keyOf,
  type MoneyRow,
  moneyBody,
  moneyColumns,
  moneySums,
  ratioOf,
  workOf,
} from './money-sums.ts'

const needed = [readBill, readCost]

/** What customers were billed, less what the work cost. */
export const profitability = computedReport<ReportInput>('profitability', {
  about:
    'What was issued in a period, less credit notes (`net`), what the work of the period cost (`cost`), `margin` = net − cost and `marginRatio` = margin ÷ net. `unbilled` is the value of work on no document, and a part of neither. Work without a customer has a row of its own. Costs are in the currency of the tenant; a group with documents in other currencies is `mixedCurrency` and has no margin. Groups by `groupBy`: crm, month. Needs `bill.read`, `cost.read` and `invoice.read`.',
  roles: managers,
  placed: false,
  source: sources.Time,
  body: moneyBody,
  row: rowOf(
    'profitability',
    {
      ...moneyColumns,
      net: decimal('Issued, less credit notes.'),
      cost: { type: ['string', 'null'], format: 'decimal', description: 'Null in the rows of other currencies.' },
      margin: { type: ['string', 'null'], format: 'decimal' },
      marginRatio: { type: ['number', 'null'] },
      unbilled: decimal('The value of the work that is on no document.'),
      mixedCurrency: { type: 'boolean' },
    },
    ['currency', 'net', 'cost', 'margin', 'marginRatio', 'unbilled', 'mixedCurrency'],
  ),
  async rows(ctx, input) {
    demand(ctx.caller, readCost)
    const rows = await moneySums(ctx, input, needed)
    const groupOf = ({ crm, month }: MoneyRow) => `${crm} ${month}`
    const mixed = new Set(rows.filter(each => !each.home && Number(each.net) !== 0).map(groupOf))
    return rows.map(row => {
      const { net, unbilled, home, withheld } = row
      const mixedCurrency = mixed.has(groupOf(row))
      const cost = home ? row.cost : null
      const margin = cost === null || mixedCurrency || withheld > 0 ? null : formatDecimal(unitsOf(net) - unitsOf(cost))
      const marginRatio = margin === null ? null : ratioOf(margin, net)
      const values = { ...groupValues(row, input), net, cost, margin, marginRatio, unbilled, mixedCurrency }
      return { key: keyOf(row), text: JSON.stringify(values) }
    })
  },
  async records(ctx, input, key) {
    demand(ctx.caller, readCost)
    const home = await ctx.sql<{
      currency: string
    }>`select currency from tenant where tenant_id = ${ctx.caller.tenantId}`
    const counted = (currency: string) => (currency === home[0]?.currency ? raw('true') : sql`t.currency = ${currency}`)
    return await workOf(ctx, input, key, counted, needed)
  },
})
