// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, pagesOf } from '../../runtime.ts'
import type { Answer, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List StorageMigrations */
export function list(gantry: Gantry, query: Query<'GET /outbound-storage/migration'> = {}): Pages<Listed<'GET /outbound-storage/migration'>> {
  return pagesOf(gantry, 'GET /outbound-storage/migration', { query })
}

/** Get one StorageMigration */
export function get(gantry: Gantry, id: string, options: Options<'GET /outbound-storage/migration/{id}'> = {}): Call<Answer<'GET /outbound-storage/migration/{id}'>> {
  return call(gantry, 'GET /outbound-storage/migration/{id}', { path: { id }, ...options })
}

/** History of a StorageMigration */
export function history(gantry: Gantry, id: string, options: Options<'GET /outbound-storage/migration/{id}/history'> = {}): Call<Answer<'GET /outbound-storage/migration/{id}/history'>> {
  return call(gantry, 'GET /outbound-storage/migration/{id}/history', { path: { id }, ...options })
}

/** Cancel a migration */
export function cancel(gantry: Gantry, id: string, options: Options<'POST /outbound-storage/migration/{id}/cancel'> = {}): Call<Answer<'POST /outbound-storage/migration/{id}/cancel'>> {
  return call(gantry, 'POST /outbound-storage/migration/{id}/cancel', { path: { id }, ...options })
}

/** Resume a migration */
export function resume(gantry: Gantry, id: string, options: Options<'POST /outbound-storage/migration/{id}/resume'> = {}): Call<Answer<'POST /outbound-storage/migration/{id}/resume'>> {
  return call(gantry, 'POST /outbound-storage/migration/{id}/resume', { path: { id }, ...options })
}
