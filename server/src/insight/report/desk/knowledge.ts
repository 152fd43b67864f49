import { documents } from '../../../documents/document/document.ts'
import { mayReadKind } from '../../../engine/event-visibility.ts'
import { ownTenant, raw, sql } from '../../../kernel/sql.ts'
import { avoidedTicket, tellsRequester } from '../../../portal/knowledge/usage.ts'
import { columnVocabulary } from '../../query/column-vocabulary.ts'
import { compiled, type Source, visibleRows } from '../../query/source.ts'
import { calendar, reference } from '../item-dimensions.ts'
import { count, ratio } from '../measures.ts'
import { during } from '../period.ts'
import { report } from '../report.ts'

const documentSource: Source = {
  readable: caller => mayReadKind(caller, 'Document'),
  from: raw('document t'),
  record: raw('t.id'),
  rows: visibleRows(documents, raw('true')),
  async compile(ctx, groups) {
    const vocabulary = await columnVocabulary(ctx, documents, {})
    return { where: compiled(ctx, groups, vocabulary), vocabulary }
  },
  listed: documents,
}

const at = raw('r.at')

/** What articles of the knowledge base did for people who wrote a request. */
export const knowledge = report('knowledge', {
  about:
    'The articles that were suggested to people who wrote a request, or opened by a link, in the period. `ticketsAvoided` are the requests for which articles were suggested, one was opened and said to help, and no ticket was filed; each is counted with the first article that helped. `usedInReplies` are the public replies of the period that link to an article.',
  source: documentSource,
  // A use in a reply has no suggestion, so that it counts in no other measure.
  from: sql`(select document_id, at, suggestion_id, opened_at, helped, false as replied from article_reading where tenant_id = ${ownTenant}
    union all
    select l.document_id, l.at, null, null, null, true from annotation_link l join annotation a on a.tenant_id = ${ownTenant} and a.id = l.annotation_id
      where l.tenant_id = ${ownTenant} and ${tellsRequester}) r
    left join suggestion s on s.tenant_id = ${ownTenant} and s.id = r.suggestion_id
    join document t on t.tenant_id = ${ownTenant} and t.id = r.document_id`,
  during: period => during(period, at),
  dimensions: { document: reference('document', raw('t.id')), ...calendar('instant', () => at) },
  groupBy: ['document'],
  measures: {
    suggested: count('To how many an article was suggested.', raw('s.asked')),
    views: count('How many opened it.', raw('r.opened_at is not null')),
    helped: count('How many said that it helped.', raw('r.helped')),
    notHelped: count('How many said that it did not.', raw('not r.helped')),
    helpfulness: ratio('Helped ÷ views; null without any.', 'helped', 'views'),
    ticketsAvoided: count('The tickets that were avoided.', avoidedTicket),
    usedInReplies: count('The public replies that link to it.', raw('r.replied')),
  },
})
