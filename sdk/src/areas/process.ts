// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Process */
export function list(gantry: Gantry, query: Query<'GET /process'> = {}): Pages<Listed<'GET /process'>> {
  return pagesOf(gantry, 'GET /process', { query })
}

/** Create one Process */
export function create(gantry: Gantry, body: Body<'POST /process'>, options: Options<'POST /process'> = {}): Call<Answer<'POST /process'>> {
  return call(gantry, 'POST /process', { body, ...options })
}

/** Get one Process */
export function get(gantry: Gantry, id: string, options: Options<'GET /process/{id}'> = {}): Call<Answer<'GET /process/{id}'>> {
  return call(gantry, 'GET /process/{id}', { path: { id }, ...options })
}

/** Update one Process */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /process/{id}'>, options: Options<'PATCH /process/{id}'> = {}): Call<Answer<'PATCH /process/{id}'>> {
  return call(gantry, 'PATCH /process/{id}', { path: { id }, body, ...options })
}

/** Delete one Process */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /process/{id}'> = {}): Call<Answer<'DELETE /process/{id}'>> {
  return call(gantry, 'DELETE /process/{id}', { path: { id }, ...options })
}

/** Restore a deleted Process */
export function restore(gantry: Gantry, id: string, options: Options<'POST /process/{id}/restore'> = {}): Call<Answer<'POST /process/{id}/restore'>> {
  return call(gantry, 'POST /process/{id}/restore', { path: { id }, ...options })
}

/** History of a Process */
export function history(gantry: Gantry, id: string, options: Options<'GET /process/{id}/history'> = {}): Call<Answer<'GET /process/{id}/history'>> {
  return call(gantry, 'GET /process/{id}/history', { path: { id }, ...options })
}

/** Check one Process */
export function check(gantry: Gantry, id: string, options: Options<'GET /process/{id}/check'> = {}): Call<Answer<'GET /process/{id}/check'>> {
  return call(gantry, 'GET /process/{id}/check', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /process/{id}'>) => Body<'PATCH /process/{id}'>): Promise<Answer<'PATCH /process/{id}'>> {
  return changeRecord(gantry, 'GET /process/{id}', 'PATCH /process/{id}', { id }, compute)
}
