import { clockState, targetKind } from '../../../clocks/item-clock/item-clock.ts'
import { ownTenant, raw, sql } from '../../../kernel/sql.ts'
import { sources } from '../../query/source.ts'
import { calendar, itemDimensions } from '../item-dimensions.ts'
import { average, count, hoursBetween, percentile } from '../measures.ts'
import { during } from '../period.ts'
import { report } from '../report.ts'

const created = raw('t.created')
const replied = raw('f.first_reply_at')
const elapsed = hoursBetween(created, replied)
const working = raw('(w.elapsed / 3600.0)')

/** How long requesters wait for the first answer. */
export const firstResponse = report('first-response', {
  about:
    'The hours from the creation of a ticket to the first public reply of staff, of tickets that were created in the period: elapsed, and in working time where a clock has measured it.',
  source: sources.Ticket,
  container: raw('t.container_id'),
  from: sql`item t left join ticket f on f.tenant_id = ${ownTenant} and f.id = t.id
    left join lateral (select k.elapsed from item_clock k where k.tenant_id = ${ownTenant} and k.item_id = t.id and k.kind = ${raw(String(targetKind.firstResponse))}
      and k.state in (${raw(`${clockState.met}, ${clockState.metLate}`)}) order by k.cycle limit 1) w on true`,
  during: period => during(period, created),
  dimensions: {
    ...itemDimensions,
    channel: () => ({ kind: 'number', value: raw('f.channel'), reveals: 'channel' }),
    ...calendar('instant', () => created),
  },
  groupBy: ['month'],
  reveals: ['created', 'firstReplyAt'],
  measures: {
    tickets: count('The tickets.'),
    answered: count('Those with a reply.', sql`${replied} is not null`),
    unanswered: count('Those without one.', sql`${replied} is null`),
    average: average('In hours.', elapsed),
    p50: percentile('The median in hours.', 0.5, elapsed),
    p85: percentile('In hours.', 0.85, elapsed),
    p95: percentile('In hours.', 0.95, elapsed),
    workingAverage: average('In hours of working time.', working),
    workingP50: percentile('The median in hours of working time.', 0.5, working),
    workingP85: percentile('In hours of working time.', 0.85, working),
  },
})
