import { managers } from '../../../kernel/access.ts'
import { sql } from '../../../kernel/sql.ts'
import { sources } from '../../query/source.ts'
import { computedReport } from '../report.ts'
import type { ReportInput } from '../report-declaration.ts'
import { rowOf } from '../report-schema.ts'
import { decimal, groupValues, keyOf, moneyBody, moneyColumns, moneySums, ratioOf, workOf } from './money-sums.ts'

/** How much of the value of work customers were billed. */
export const realisation = computedReport<ReportInput>('realisation', {
  about:
    'What the work of a period is worth at the prices of its entries (`worked`), what was issued in it, less credit notes (`net`), and net ÷ worked (`realisation`; null without work). `unbilled` is the value of work on no document. Groups by `groupBy`: crm, month; a row is of one currency. Needs `bill.read` and `invoice.read`.',
  roles: managers,
  placed: false,
  source: sources.Time,
  body: moneyBody,
  row: rowOf(
    'realisation',
    {
      ...moneyColumns,
      worked: decimal('The value of the work.'),
      net: decimal('Issued, less credit notes.'),
      unbilled: decimal('The value of the work that is on no document.'),
      realisation: { type: ['number', 'null'] },
    },
    ['currency', 'worked', 'net', 'unbilled', 'realisation'],
  ),
  async rows(ctx, input) {
    const rows = (await moneySums(ctx, input)).filter(
      each => Number(each.worked) !== 0 || Number(each.net) !== 0 || each.withheld > 0,
    )
    return rows.map(row => {
      const { worked, net, unbilled } = row
      const values = { ...groupValues(row, input), worked, net, unbilled, realisation: ratioOf(net, worked) }
      return { key: keyOf(row), text: JSON.stringify(values) }
    })
  },
  records: (ctx, input, key) =>
    workOf(ctx, input, key, currency => sql`t.bill_amount is not null and t.currency = ${currency}`),
})
