// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Approvals */
export function list(gantry: Gantry, query: Query<'GET /approval'> = {}): Pages<Listed<'GET /approval'>> {
  return pagesOf(gantry, 'GET /approval', { query })
}

/** Create one Approval */
export function create(gantry: Gantry, body: Body<'POST /approval'>, options: Options<'POST /approval'> = {}): Call<Answer<'POST /approval'>> {
  return call(gantry, 'POST /approval', { body, ...options })
}

/** Get one Approval */
export function get(gantry: Gantry, id: string, options: Options<'GET /approval/{id}'> = {}): Call<Answer<'GET /approval/{id}'>> {
  return call(gantry, 'GET /approval/{id}', { path: { id }, ...options })
}

/** History of a Approval */
export function history(gantry: Gantry, id: string, options: Options<'GET /approval/{id}/history'> = {}): Call<Answer<'GET /approval/{id}/history'>> {
  return call(gantry, 'GET /approval/{id}/history', { path: { id }, ...options })
}

/** Check one Approval */
export function check(gantry: Gantry, id: string, options: Options<'GET /approval/{id}/check'> = {}): Call<Answer<'GET /approval/{id}/check'>> {
  return call(gantry, 'GET /approval/{id}/check', { path: { id }, ...options })
}

/** Cancel an approval */
export function cancel(gantry: Gantry, id: string, options: Options<'POST /approval/{id}/cancel'> = {}): Call<Answer<'POST /approval/{id}/cancel'>> {
  return call(gantry, 'POST /approval/{id}/cancel', { path: { id }, ...options })
}
