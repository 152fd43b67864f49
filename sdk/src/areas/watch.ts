// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Watchs */
export function list(gantry: Gantry, query: Query<'GET /watch'> = {}): Pages<Listed<'GET /watch'>> {
  return pagesOf(gantry, 'GET /watch', { query })
}

/** Watch a record */
export function create(gantry: Gantry, body: Body<'POST /watch'>, options: Options<'POST /watch'> = {}): Call<Answer<'POST /watch'>> {
  return call(gantry, 'POST /watch', { body, ...options })
}

/** Get one Watch */
export function get(gantry: Gantry, id: string, options: Options<'GET /watch/{id}'> = {}): Call<Answer<'GET /watch/{id}'>> {
  return call(gantry, 'GET /watch/{id}', { path: { id }, ...options })
}

/** Update one Watch */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /watch/{id}'>, options: Options<'PATCH /watch/{id}'> = {}): Call<Answer<'PATCH /watch/{id}'>> {
  return call(gantry, 'PATCH /watch/{id}', { path: { id }, body, ...options })
}

/** Delete one Watch */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /watch/{id}'> = {}): Call<Answer<'DELETE /watch/{id}'>> {
  return call(gantry, 'DELETE /watch/{id}', { path: { id }, ...options })
}

/** Restore a deleted Watch */
export function restore(gantry: Gantry, id: string, options: Options<'POST /watch/{id}/restore'> = {}): Call<Answer<'POST /watch/{id}/restore'>> {
  return call(gantry, 'POST /watch/{id}/restore', { path: { id }, ...options })
}

/** History of a Watch */
export function history(gantry: Gantry, id: string, options: Options<'GET /watch/{id}/history'> = {}): Call<Answer<'GET /watch/{id}/history'>> {
  return call(gantry, 'GET /watch/{id}/history', { path: { id }, ...options })
}

/** Check one Watch */
export function check(gantry: Gantry, id: string, options: Options<'GET /watch/{id}/check'> = {}): Call<Answer<'GET /watch/{id}/check'>> {
  return call(gantry, 'GET /watch/{id}/check', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /watch/{id}'>) => Body<'PATCH /watch/{id}'>): Promise<Answer<'PATCH /watch/{id}'>> {
  return changeRecord(gantry, 'GET /watch/{id}', 'PATCH /watch/{id}', { id }, compute)
}
