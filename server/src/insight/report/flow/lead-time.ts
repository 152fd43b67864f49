import { statusCategory } from '../../../items/status.ts'
import { raw, type Sql, sql } from '../../../kernel/sql.ts'
import { sources } from '../../query/source.ts'
import { firstIn } from '../../summary/item-stay.ts'
import { calendar, itemDimensions } from '../item-dimensions.ts'
import { average, count, hoursBetween, type Measures, percentile } from '../measures.ts'
import { during, type Period } from '../period.ts'
import { report } from '../report.ts'

const closed = raw('t.closed_at')
const done = raw(String(statusCategory.done))
const started = firstIn(statusCategory.started)

/** The distribution of a length in hours. */
const distribution = (hours: Sql): Measures => ({
  items: count('The items that were closed.'),
  measured: count('Those of them that have such a length.', sql`${hours} is not null`),
  average: average('In hours.', hours),
  p50: percentile('The median in hours.', 0.5, hours),
  p85: percentile('In hours.', 0.85, hours),
  p95: percentile('In hours.', 0.95, hours),
})

const ofClosed = {
  source: sources.Item,
  container: raw('t.container_id'),
  reveals: ['created', 'closedAt', 'statusCategory'],
  during: (period: Period) => sql`${during(period, closed)} and t.status_category = ${done}`,
  dimensions: { ...itemDimensions, ...calendar('instant', () => closed) },
  groupBy: ['month'],
}

/** From the creation of an item to its last close. */
export const leadTime = report('lead-time', {
  about:
    'The hours from the creation of an item to its last close, of items that were closed as done in the period and still are. An item that was reopened counts with its last close.',
  ...ofClosed,
  measures: distribution(hoursBetween(raw('t.created'), closed)),
})

/** From the first start of work to the last close. */
export const cycleTime = report('cycle-time', {
  about:
    'The hours from the first moment at which an item was in progress (category 2) to its last close, of items that were closed as done in the period and still are. Items that never were in progress are counted in `items` only.',
  ...ofClosed,
  measures: distribution(hoursBetween(started, closed)),
})
