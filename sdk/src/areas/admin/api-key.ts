// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List ApiKeys */
export function list(gantry: Gantry, query: Query<'GET /admin/api-key'> = {}): Pages<Listed<'GET /admin/api-key'>> {
  return pagesOf(gantry, 'GET /admin/api-key', { query })
}

/** Mint an API key */
export function create(gantry: Gantry, body: Body<'POST /admin/api-key'>, options: Options<'POST /admin/api-key'> = {}): Call<Answer<'POST /admin/api-key'>> {
  return call(gantry, 'POST /admin/api-key', { body, ...options })
}

/** Get one ApiKey */
export function get(gantry: Gantry, id: string, options: Options<'GET /admin/api-key/{id}'> = {}): Call<Answer<'GET /admin/api-key/{id}'>> {
  return call(gantry, 'GET /admin/api-key/{id}', { path: { id }, ...options })
}

/** Update one ApiKey */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /admin/api-key/{id}'>, options: Options<'PATCH /admin/api-key/{id}'> = {}): Call<Answer<'PATCH /admin/api-key/{id}'>> {
  return call(gantry, 'PATCH /admin/api-key/{id}', { path: { id }, body, ...options })
}

/** Delete one ApiKey */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /admin/api-key/{id}'> = {}): Call<Answer<'DELETE /admin/api-key/{id}'>> {
  return call(gantry, 'DELETE /admin/api-key/{id}', { path: { id }, ...options })
}

/** History of a ApiKey */
export function history(gantry: Gantry, id: string, options: Options<'GET /admin/api-key/{id}/history'> = {}): Call<Answer<'GET /admin/api-key/{id}/history'>> {
  return call(gantry, 'GET /admin/api-key/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /admin/api-key/{id}'>) => Body<'PATCH /admin/api-key/{id}'>): Promise<Answer<'PATCH /admin/api-key/{id}'>> {
  return changeRecord(gantry, 'GET /admin/api-key/{id}', 'PATCH /admin/api-key/{id}', { id }, compute)
}
