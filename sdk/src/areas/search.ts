// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { pagesOf } from '../runtime.ts'
import type { Gantry, Listed, Pages, Query } from '../types.ts'

/** Search everything */
export function list(gantry: Gantry, query: Query<'GET /search'> = {}): Pages<Listed<'GET /search'>> {
  return pagesOf(gantry, 'GET /search', { query })
}
