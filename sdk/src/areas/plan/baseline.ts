// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Baselines */
export function list(gantry: Gantry, query: Query<'GET /plan/baseline'> = {}): Pages<Listed<'GET /plan/baseline'>> {
  return pagesOf(gantry, 'GET /plan/baseline', { query })
}

/** Create one Baseline */
export function create(gantry: Gantry, body: Body<'POST /plan/baseline'>, options: Options<'POST /plan/baseline'> = {}): Call<Answer<'POST /plan/baseline'>> {
  return call(gantry, 'POST /plan/baseline', { body, ...options })
}

/** Get one Baseline */
export function get(gantry: Gantry, id: string, options: Options<'GET /plan/baseline/{id}'> = {}): Call<Answer<'GET /plan/baseline/{id}'>> {
  return call(gantry, 'GET /plan/baseline/{id}', { path: { id }, ...options })
}

/** Update one Baseline */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /plan/baseline/{id}'>, options: Options<'PATCH /plan/baseline/{id}'> = {}): Call<Answer<'PATCH /plan/baseline/{id}'>> {
  return call(gantry, 'PATCH /plan/baseline/{id}', { path: { id }, body, ...options })
}

/** Delete one Baseline */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /plan/baseline/{id}'> = {}): Call<Answer<'DELETE /plan/baseline/{id}'>> {
  return call(gantry, 'DELETE /plan/baseline/{id}', { path: { id }, ...options })
}

/** Restore a deleted Baseline */
export function restore(gantry: Gantry, id: string, options: Options<'POST /plan/baseline/{id}/restore'> = {}): Call<Answer<'POST /plan/baseline/{id}/restore'>> {
  return call(gantry, 'POST /plan/baseline/{id}/restore', { path: { id }, ...options })
}

/** History of a Baseline */
export function history(gantry: Gantry, id: string, options: Options<'GET /plan/baseline/{id}/history'> = {}): Call<Answer<'GET /plan/baseline/{id}/history'>> {
  return call(gantry, 'GET /plan/baseline/{id}/history', { path: { id }, ...options })
}

/** Compare a baseline with the present plan */
export function compare(gantry: Gantry, id: string, options: Options<'GET /plan/baseline/{id}/compare'> = {}): Call<Answer<'GET /plan/baseline/{id}/compare'>> {
  return call(gantry, 'GET /plan/baseline/{id}/compare', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /plan/baseline/{id}'>) => Body<'PATCH /plan/baseline/{id}'>): Promise<Answer<'PATCH /plan/baseline/{id}'>> {
  return changeRecord(gantry, 'GET /plan/baseline/{id}', 'PATCH /plan/baseline/{id}', { id }, compute)
}
