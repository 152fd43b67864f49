// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../../types.ts'

/** List the changes of a scenario */
export function list(gantry: Gantry, id: string, options: Options<'GET /plan/scenario/{id}/change'> = {}): Call<Answer<'GET /plan/scenario/{id}/change'>> {
  return call(gantry, 'GET /plan/scenario/{id}/change', { path: { id }, ...options })
}

/** Propose a change in a scenario */
export function create(gantry: Gantry, id: string, body: Body<'POST /plan/scenario/{id}/change'>, options: Options<'POST /plan/scenario/{id}/change'> = {}): Call<Answer<'POST /plan/scenario/{id}/change'>> {
  return call(gantry, 'POST /plan/scenario/{id}/change', { path: { id }, body, ...options })
}

/** Withdraw a change of a scenario */
export function remove(gantry: Gantry, id: string, recordId: string, options: Options<'DELETE /plan/scenario/{id}/change/{recordId}'> = {}): Call<Answer<'DELETE /plan/scenario/{id}/change/{recordId}'>> {
  return call(gantry, 'DELETE /plan/scenario/{id}/change/{recordId}', { path: { id, recordId }, ...options })
}
