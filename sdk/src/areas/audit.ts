// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, pagesOf } from '../runtime.ts'
import type { Answer, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List AuditEntries */
export function list(gantry: Gantry, query: Query<'GET /audit'> = {}): Pages<Listed<'GET /audit'>> {
  return pagesOf(gantry, 'GET /audit', { query })
}

/** Get one AuditEntry */
export function get(gantry: Gantry, id: string, options: Options<'GET /audit/{id}'> = {}): Call<Answer<'GET /audit/{id}'>> {
  return call(gantry, 'GET /audit/{id}', { path: { id }, ...options })
}
