// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Scenarios */
export function list(gantry: Gantry, query: Query<'GET /plan/scenario'> = {}): Pages<Listed<'GET /plan/scenario'>> {
  return pagesOf(gantry, 'GET /plan/scenario', { query })
}

/** Create one Scenario */
export function create(gantry: Gantry, body: Body<'POST /plan/scenario'>, options: Options<'POST /plan/scenario'> = {}): Call<Answer<'POST /plan/scenario'>> {
  return call(gantry, 'POST /plan/scenario', { body, ...options })
}

/** Get one Scenario */
export function get(gantry: Gantry, id: string, options: Options<'GET /plan/scenario/{id}'> = {}): Call<Answer<'GET /plan/scenario/{id}'>> {
  return call(gantry, 'GET /plan/scenario/{id}', { path: { id }, ...options })
}

/** Update one Scenario */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /plan/scenario/{id}'>, options: Options<'PATCH /plan/scenario/{id}'> = {}): Call<Answer<'PATCH /plan/scenario/{id}'>> {
  return call(gantry, 'PATCH /plan/scenario/{id}', { path: { id }, body, ...options })
}

/** Delete one Scenario */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /plan/scenario/{id}'> = {}): Call<Answer<'DELETE /plan/scenario/{id}'>> {
  return call(gantry, 'DELETE /plan/scenario/{id}', { path: { id }, ...options })
}

/** Restore a deleted Scenario */
export function restore(gantry: Gantry, id: string, options: Options<'POST /plan/scenario/{id}/restore'> = {}): Call<Answer<'POST /plan/scenario/{id}/restore'>> {
  return call(gantry, 'POST /plan/scenario/{id}/restore', { path: { id }, ...options })
}

/** History of a Scenario */
export function history(gantry: Gantry, id: string, options: Options<'GET /plan/scenario/{id}/history'> = {}): Call<Answer<'GET /plan/scenario/{id}/history'>> {
  return call(gantry, 'GET /plan/scenario/{id}/history', { path: { id }, ...options })
}

/** Compare a scenario with the plan */
export function compare(gantry: Gantry, id: string, options: Options<'GET /plan/scenario/{id}/compare'> = {}): Call<Answer<'GET /plan/scenario/{id}/compare'>> {
  return call(gantry, 'GET /plan/scenario/{id}/compare', { path: { id }, ...options })
}

/** Merge a scenario into the plan */
export function merge(gantry: Gantry, id: string, body: Body<'POST /plan/scenario/{id}/merge'>, options: Options<'POST /plan/scenario/{id}/merge'> = {}): Call<Answer<'POST /plan/scenario/{id}/merge'>> {
  return call(gantry, 'POST /plan/scenario/{id}/merge', { path: { id }, body, ...options })
}

/** Drop a scenario */
export function drop(gantry: Gantry, id: string, options: Options<'POST /plan/scenario/{id}/drop'> = {}): Call<Answer<'POST /plan/scenario/{id}/drop'>> {
  return call(gantry, 'POST /plan/scenario/{id}/drop', { path: { id }, ...options })
}

/** Reopen a dropped scenario */
export function reopen(gantry: Gantry, id: string, options: Options<'POST /plan/scenario/{id}/reopen'> = {}): Call<Answer<'POST /plan/scenario/{id}/reopen'>> {
  return call(gantry, 'POST /plan/scenario/{id}/reopen', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /plan/scenario/{id}'>) => Body<'PATCH /plan/scenario/{id}'>): Promise<Answer<'PATCH /plan/scenario/{id}'>> {
  return changeRecord(gantry, 'GET /plan/scenario/{id}', 'PATCH /plan/scenario/{id}', { id }, compute)
}
