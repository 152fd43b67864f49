// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, pagesOf } from '../runtime.ts'
import type { Answer, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List change sets */
export function list(gantry: Gantry, query: Query<'GET /change'> = {}): Pages<Listed<'GET /change'>> {
  return pagesOf(gantry, 'GET /change', { query })
}

/** Read a change set */
export function get(gantry: Gantry, id: string, options: Options<'GET /change/{id}'> = {}): Call<Answer<'GET /change/{id}'>> {
  return call(gantry, 'GET /change/{id}', { path: { id }, ...options })
}

/** Undo a change set */
export function undo(gantry: Gantry, id: string, options: Options<'POST /change/{id}/undo'> = {}): Call<Answer<'POST /change/{id}/undo'>> {
  return call(gantry, 'POST /change/{id}/undo', { path: { id }, ...options })
}
