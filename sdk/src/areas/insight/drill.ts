// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { pagesOf } from '../../runtime.ts'
import type { Gantry, Listed, Pages, Query } from '../../types.ts'

/** List the records of a row */
export function list(gantry: Gantry, token: string, query: Query<'GET /insight/drill/{token}'> = {}): Pages<Listed<'GET /insight/drill/{token}'>> {
  return pagesOf(gantry, 'GET /insight/drill/{token}', { path: { token }, query })
}
