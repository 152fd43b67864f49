import { ownTenant, raw, sql } from '../../../kernel/sql.ts'
import { sources } from '../../query/source.ts'
import { calendar, itemDimensions } from '../item-dimensions.ts'
import { average, count, ratio } from '../measures.ts'
import { during } from '../period.ts'
import { report } from '../report.ts'

const closed = raw('t.closed_at')
const score = sql`(f.satisfaction ->> 'score')::int`
const good = 4

/** What requesters think of the answers they got. */
export const satisfaction = report('satisfaction', {
  about: `The scores that requesters gave to tickets which were closed in the period: \`satisfaction\` is the part of the answers with a score of ${good} or 5, \`answerRate\` the part of the closed tickets with an answer.`,
  source: sources.Ticket,
  container: raw('t.container_id'),
  from: sql`item t left join ticket f on f.tenant_id = ${ownTenant} and f.id = t.id`,
  during: period => during(period, closed),
  dimensions: { ...itemDimensions, ...calendar('instant', () => closed) },
  groupBy: ['month'],
  reveals: ['satisfaction', 'closedAt'],
  measures: {
    closed: count('The tickets that were closed.'),
    answers: count('Those with a score.', sql`${score} is not null`),
    good: count(`Those with ${good} or 5.`, sql`${score} >= ${raw(String(good))}`),
    satisfaction: ratio('Good ÷ answers; null without any.', 'good', 'answers'),
    answerRate: ratio('Answers ÷ closed.', 'answers', 'closed'),
    averageScore: average('From 1 to 5.', score),
  },
})
