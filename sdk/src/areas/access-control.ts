// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List AccessControls */
export function list(gantry: Gantry, query: Query<'GET /access-control'> = {}): Pages<Listed<'GET /access-control'>> {
  return pagesOf(gantry, 'GET /access-control', { query })
}

/** Create one AccessControl */
export function create(gantry: Gantry, body: Body<'POST /access-control'>, options: Options<'POST /access-control'> = {}): Call<Answer<'POST /access-control'>> {
  return call(gantry, 'POST /access-control', { body, ...options })
}

/** Get one AccessControl */
export function get(gantry: Gantry, id: string, options: Options<'GET /access-control/{id}'> = {}): Call<Answer<'GET /access-control/{id}'>> {
  return call(gantry, 'GET /access-control/{id}', { path: { id }, ...options })
}

/** Update one AccessControl */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /access-control/{id}'>, options: Options<'PATCH /access-control/{id}'> = {}): Call<Answer<'PATCH /access-control/{id}'>> {
  return call(gantry, 'PATCH /access-control/{id}', { path: { id }, body, ...options })
}

/** Delete one AccessControl */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /access-control/{id}'> = {}): Call<Answer<'DELETE /access-control/{id}'>> {
  return call(gantry, 'DELETE /access-control/{id}', { path: { id }, ...options })
}

/** Restore a deleted AccessControl */
export function restore(gantry: Gantry, id: string, options: Options<'POST /access-control/{id}/restore'> = {}): Call<Answer<'POST /access-control/{id}/restore'>> {
  return call(gantry, 'POST /access-control/{id}/restore', { path: { id }, ...options })
}

/** History of a AccessControl */
export function history(gantry: Gantry, id: string, options: Options<'GET /access-control/{id}/history'> = {}): Call<Answer<'GET /access-control/{id}/history'>> {
  return call(gantry, 'GET /access-control/{id}/history', { path: { id }, ...options })
}

/** Check one AccessControl */
export function check(gantry: Gantry, id: string, options: Options<'GET /access-control/{id}/check'> = {}): Call<Answer<'GET /access-control/{id}/check'>> {
  return call(gantry, 'GET /access-control/{id}/check', { path: { id }, ...options })
}

/** Explain whether a user may do something */
export function explain(gantry: Gantry, options: Options<'GET /access-control/explain'> = {}): Call<Answer<'GET /access-control/explain'>> {
  return call(gantry, 'GET /access-control/explain', { ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /access-control/{id}'>) => Body<'PATCH /access-control/{id}'>): Promise<Answer<'PATCH /access-control/{id}'>> {
  return changeRecord(gantry, 'GET /access-control/{id}', 'PATCH /access-control/{id}', { id }, compute)
}
