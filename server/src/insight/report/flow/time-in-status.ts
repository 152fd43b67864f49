import { closedCategories } from '../../../items/status.ts'
import { raw, sql } from '../../../kernel/sql.ts'
import { sources } from '../../query/source.ts'
import { stays } from '../../summary/item-stay.ts'
import { itemDimensions, reference } from '../item-dimensions.ts'
import { count, ratio, sum } from '../measures.ts'
import { report } from '../report.ts'

/** How long items were in each status. */
export const timeInStatus = report('time-in-status', {
  about:
    'The hours that items spent in each status during the period: the parts of their stays that lie in it, also of stays that began before or have not ended. The states of closed items are left out. `container` is the one in which the item was.',
  source: sources.Item,
  from: stays,
  container: raw('s.container_id'),
  reveals: ['status', 'statusCategory'],
  during: ({ from, to }, { now }) =>
    sql`s.category not in ${closedCategories} and s.from_at < least(${to}::timestamptz, ${now}) and coalesce(s.to_at, ${now}) > ${from}::timestamptz
      and t.created < ${to}::timestamptz and (t.closed_at is null or t.closed_at >= ${from}::timestamptz)`,
  dimensions: {
    ...itemDimensions,
    container: reference('container', raw('s.container_id'), 'containerId'),
    status: () => ({ kind: 'text', value: raw(`nullif(s.status, '')`) }),
    category: () => ({ kind: 'number', value: raw('s.category') }),
  },
  groupBy: ['status'],
  measures: ({ from, to }, { now }) => ({
    stays: count('The stays in the period.'),
    items: { kind: 'number', about: 'The items with such a stay.', value: raw('count(distinct t.id)') },
    hours: sum(
      'All hours.',
      sql`round((extract(epoch from least(coalesce(s.to_at, ${now}), ${to}::timestamptz, ${now}) - greatest(s.from_at, ${from}::timestamptz)) / 3600)::numeric, 4)`,
    ),
    hoursPerItem: ratio('The mean of an item.', 'hours', 'items'),
  }),
})
