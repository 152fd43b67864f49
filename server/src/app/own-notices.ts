import { sessionChanged } from '../engine/live/private-notices.ts'
import type { OwnNotice } from '../engine/live/send-notices.ts'
import { raw, sql } from '../kernel/sql.ts'
import { scopes } from '../platform/setting.ts'

/** The changes of which the open applications of a user are told by a name, so that they need not know the records. */
export const ownNotices: readonly OwnNotice[] = [
  { entity: 'Timer', userId: raw('t.user_id::text'), notice: { entity: 'Timer', name: 'timer.changed' } },
  {
    entity: 'AppSetting',
    userId: sql`case when t.scope = ${scopes.user} then t.owner_id end`,
    notice: sessionChanged('preferences'),
  },
]
