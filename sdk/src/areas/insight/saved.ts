// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List SavedReports */
export function list(gantry: Gantry, query: Query<'GET /insight/saved'> = {}): Pages<Listed<'GET /insight/saved'>> {
  return pagesOf(gantry, 'GET /insight/saved', { query })
}

/** Create one SavedReport */
export function create(gantry: Gantry, body: Body<'POST /insight/saved'>, options: Options<'POST /insight/saved'> = {}): Call<Answer<'POST /insight/saved'>> {
  return call(gantry, 'POST /insight/saved', { body, ...options })
}

/** Get one SavedReport */
export function get(gantry: Gantry, id: string, options: Options<'GET /insight/saved/{id}'> = {}): Call<Answer<'GET /insight/saved/{id}'>> {
  return call(gantry, 'GET /insight/saved/{id}', { path: { id }, ...options })
}

/** Update one SavedReport */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /insight/saved/{id}'>, options: Options<'PATCH /insight/saved/{id}'> = {}): Call<Answer<'PATCH /insight/saved/{id}'>> {
  return call(gantry, 'PATCH /insight/saved/{id}', { path: { id }, body, ...options })
}

/** Delete one SavedReport */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /insight/saved/{id}'> = {}): Call<Answer<'DELETE /insight/saved/{id}'>> {
  return call(gantry, 'DELETE /insight/saved/{id}', { path: { id }, ...options })
}

/** Restore a deleted SavedReport */
export function restore(gantry: Gantry, id: string, options: Options<'POST /insight/saved/{id}/restore'> = {}): Call<Answer<'POST /insight/saved/{id}/restore'>> {
  return call(gantry, 'POST /insight/saved/{id}/restore', { path: { id }, ...options })
}

/** History of a SavedReport */
export function history(gantry: Gantry, id: string, options: Options<'GET /insight/saved/{id}/history'> = {}): Call<Answer<'GET /insight/saved/{id}/history'>> {
  return call(gantry, 'GET /insight/saved/{id}/history', { path: { id }, ...options })
}

/** Check one SavedReport */
export function check(gantry: Gantry, id: string, options: Options<'GET /insight/saved/{id}/check'> = {}): Call<Answer<'GET /insight/saved/{id}/check'>> {
  return call(gantry, 'GET /insight/saved/{id}/check', { path: { id }, ...options })
}

/** Run a saved report */
export function run(gantry: Gantry, id: string, options: Options<'GET /insight/saved/{id}/run'> = {}): Call<Answer<'GET /insight/saved/{id}/run'>> {
  return call(gantry, 'GET /insight/saved/{id}/run', { path: { id }, ...options })
}

/** Run a saved report */
export function createRun(gantry: Gantry, id: string, options: Options<'POST /insight/saved/{id}/run'> = {}): Call<Answer<'POST /insight/saved/{id}/run'>> {
  return call(gantry, 'POST /insight/saved/{id}/run', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /insight/saved/{id}'>) => Body<'PATCH /insight/saved/{id}'>): Promise<Answer<'PATCH /insight/saved/{id}'>> {
  return changeRecord(gantry, 'GET /insight/saved/{id}', 'PATCH /insight/saved/{id}', { id }, compute)
}
