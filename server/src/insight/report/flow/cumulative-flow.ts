import { statusCategories } from '../../../containers/status-category.ts'
import { statusCategory } from '../../../items/status.ts'
import type { Context } from '../../../kernel/context.ts'
import { isDate } from '../../../kernel/schema/formats.ts'
import { raw, type Sql, sql } from '../../../kernel/sql.ts'
import { Code } from '../../../records/code-table.ts'
import { sources } from '../../query/source.ts'
import { countedStays, flowOf } from '../../summary/flow.ts'
import { stays } from '../../summary/item-stay.ts'
import { endOfDay, readPeriod } from '../period.ts'
import { computedReport } from '../report.ts'
import type { ReportInput } from '../report-declaration.ts'
import { bodyWith, common, rowOf } from '../report-schema.ts'

const { timezone = {}, containerIds = {}, conditionGroup = {} } = common

/** How many items were in each category of states, day by day. */
export const cumulativeFlow = computedReport<ReportInput>('cumulative-flow', {
  about:
    'The items in each category of states at the end of each day, at most 366 days until today. An item that has moved counts in the container in which it was then.',
  source: sources.Item,
  reveals: ['status', 'statusCategory', 'created'],
  body: bodyWith({ timezone, containerIds, conditionGroup }),
  row: rowOf('cumulative-flow', {
    date: { type: 'string', format: 'date' },
    category: Code(statusCategories),
    items: { type: 'integer' },
  }),
  async rows(ctx, input) {
    const days = await flowOf(ctx, readPeriod(ctx, input, 366), input, 'items')
    return days.flatMap(({ date, categories }) =>
      Object.values(statusCategory).map(category => ({
        text: JSON.stringify({ date, category, items: categories.get(category)?.count ?? 0 }),
        key: `${date}_${category}`,
      })),
    )
  },
  async records(ctx, input, key) {
    const [, date = '', category] = /^(.+)_(\d)$/.exec(key) ?? []
    return await staysAtEnd(ctx, input, date, sql`s.category = ${Number(category)}`)
  },
})

/** The condition on the items (`t`) that had such a stay (`s`) at the end of a day. */
export async function staysAtEnd(ctx: Context, input: ReportInput, date: string, such: Sql): Promise<Sql> {
  if (!isDate(date)) return raw('false')
  const end = endOfDay(date, readPeriod(ctx, input, 366).timezone)
  return sql`t.id in (select t.id from ${stays} where ${await countedStays(ctx, input)} and ${such}
    and s.from_at < ${end}::timestamptz and (s.to_at is null or s.to_at >= ${end}::timestamptz))`
}
