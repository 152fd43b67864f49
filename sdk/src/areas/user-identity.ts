// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List UserIdentities */
export function list(gantry: Gantry, query: Query<'GET /user-identity'> = {}): Pages<Listed<'GET /user-identity'>> {
  return pagesOf(gantry, 'GET /user-identity', { query })
}

/** Create one UserIdentity */
export function create(gantry: Gantry, body: Body<'POST /user-identity'>, options: Options<'POST /user-identity'> = {}): Call<Answer<'POST /user-identity'>> {
  return call(gantry, 'POST /user-identity', { body, ...options })
}

/** Get one UserIdentity */
export function get(gantry: Gantry, id: string, options: Options<'GET /user-identity/{id}'> = {}): Call<Answer<'GET /user-identity/{id}'>> {
  return call(gantry, 'GET /user-identity/{id}', { path: { id }, ...options })
}

/** Delete one UserIdentity */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /user-identity/{id}'> = {}): Call<Answer<'DELETE /user-identity/{id}'>> {
  return call(gantry, 'DELETE /user-identity/{id}', { path: { id }, ...options })
}

/** History of a UserIdentity */
export function history(gantry: Gantry, id: string, options: Options<'GET /user-identity/{id}/history'> = {}): Call<Answer<'GET /user-identity/{id}/history'>> {
  return call(gantry, 'GET /user-identity/{id}/history', { path: { id }, ...options })
}
