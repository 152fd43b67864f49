import { closedCategories } from '../../../items/status.ts'
import { raw, sql } from '../../../kernel/sql.ts'
import { sources } from '../../query/source.ts'
import { itemDimensions } from '../item-dimensions.ts'
import { average, count } from '../measures.ts'
import { report } from '../report.ts'

const days = (now: Date) => sql`floor(extract(epoch from ${now}::timestamptz - t.created) / 86400)`

/** How old open items are. */
export const backlogAge = report('backlog-age', {
  about: 'The items that are open now by the days since their creation: `0-7`, `8-30`, `31-90`, `91+`.',
  source: sources.Item,
  container: raw('t.container_id'),
  dated: false,
  during: () => sql`t.status_category not in ${closedCategories} and not t.archived`,
  dimensions: {
    age: (_period, { now }) => ({
      kind: 'text',
      value: sql`case when ${days(now)} <= 7 then '0-7' when ${days(now)} <= 30 then '8-30' when ${days(now)} <= 90 then '31-90' else '91+' end`,
    }),
    ...itemDimensions,
    status: () => ({ kind: 'text', value: raw(`nullif(t.status, '')`), reveals: 'status' }),
  },
  groupBy: ['age'],
  reveals: ['created', 'statusCategory'],
  measures: (_period, { now }) => ({
    items: count('The open items.'),
    averageDays: average('The mean of their ages.', days(now)),
    oldestDays: { kind: 'number', about: 'The greatest age.', value: sql`max(${days(now)})` },
  }),
})
