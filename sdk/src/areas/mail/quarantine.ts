// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { pagesOf } from '../../runtime.ts'
import type { Gantry, Listed, Pages, Query } from '../../types.ts'

/** List the quarantine */
export function list(gantry: Gantry, query: Query<'GET /mail/quarantine'> = {}): Pages<Listed<'GET /mail/quarantine'>> {
  return pagesOf(gantry, 'GET /mail/quarantine', { query })
}
