// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Areas */
export function list(gantry: Gantry, query: Query<'GET /area'> = {}): Pages<Listed<'GET /area'>> {
  return pagesOf(gantry, 'GET /area', { query })
}

/** Create one Area */
export function create(gantry: Gantry, body: Body<'POST /area'>, options: Options<'POST /area'> = {}): Call<Answer<'POST /area'>> {
  return call(gantry, 'POST /area', { body, ...options })
}

/** Get one Area */
export function get(gantry: Gantry, id: string, options: Options<'GET /area/{id}'> = {}): Call<Answer<'GET /area/{id}'>> {
  return call(gantry, 'GET /area/{id}', { path: { id }, ...options })
}

/** Update one Area */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /area/{id}'>, options: Options<'PATCH /area/{id}'> = {}): Call<Answer<'PATCH /area/{id}'>> {
  return call(gantry, 'PATCH /area/{id}', { path: { id }, body, ...options })
}

/** Delete one Area */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /area/{id}'> = {}): Call<Answer<'DELETE /area/{id}'>> {
  return call(gantry, 'DELETE /area/{id}', { path: { id }, ...options })
}

/** Restore a deleted Area */
export function restore(gantry: Gantry, id: string, options: Options<'POST /area/{id}/restore'> = {}): Call<Answer<'POST /area/{id}/restore'>> {
  return call(gantry, 'POST /area/{id}/restore', { path: { id }, ...options })
}

/** History of a Area */
export function history(gantry: Gantry, id: string, options: Options<'GET /area/{id}/history'> = {}): Call<Answer<'GET /area/{id}/history'>> {
  return call(gantry, 'GET /area/{id}/history', { path: { id }, ...options })
}

/** Check one Area */
export function check(gantry: Gantry, id: string, options: Options<'GET /area/{id}/check'> = {}): Call<Answer<'GET /area/{id}/check'>> {
  return call(gantry, 'GET /area/{id}/check', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /area/{id}'>) => Body<'PATCH /area/{id}'>): Promise<Answer<'PATCH /area/{id}'>> {
  return changeRecord(gantry, 'GET /area/{id}', 'PATCH /area/{id}', { id }, compute)
}
