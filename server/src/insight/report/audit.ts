import { admins } from '../../kernel/access.ts'
import { raw } from '../../kernel/sql.ts'
import { sources } from '../query/source.ts'
import { calendar, reference } from './item-dimensions.ts'
import { count } from './measures.ts'
import { during } from './period.ts'
import { report } from './report.ts'

const distinct = (about: string, column: string) =>
  ({ kind: 'number', about, value: raw(`count(distinct ${column})`) }) as const

/** Who changed how much. */
export const audit = report('audit', {
  about: 'The events of the log by who caused them and what happened.',
  roles: admins,
  source: sources.Event,
  user: raw('e.actor_id'),
  during: period => during(period, raw('e.at')),
  dimensions: {
    actor: reference('user', raw('e.actor_id')),
    actorKind: () => ({ kind: 'text', value: raw('e.actor_kind') }),
    kind: () => ({ kind: 'text', value: raw('e.kind') }),
    entity: () => ({ kind: 'text', value: raw('e.entity') }),
    ...calendar('instant', () => raw('e.at')),
  },
  groupBy: ['actor', 'kind'],
  measures: {
    events: count('The events.'),
    records: distinct('The records that they are about.', 'e.record_id'),
    changeSets: distinct('The change sets, which are requests or runs of rules.', 'e.change_set_id'),
  },
})
