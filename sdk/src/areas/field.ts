// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field'> = {}): Pages<Listed<'GET /field'>> {
  return pagesOf(gantry, 'GET /field', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field'>, options: Options<'POST /field'> = {}): Call<Answer<'POST /field'>> {
  return call(gantry, 'POST /field', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/{id}'> = {}): Call<Answer<'GET /field/{id}'>> {
  return call(gantry, 'GET /field/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/{id}'>, options: Options<'PATCH /field/{id}'> = {}): Call<Answer<'PATCH /field/{id}'>> {
  return call(gantry, 'PATCH /field/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/{id}'> = {}): Call<Answer<'DELETE /field/{id}'>> {
  return call(gantry, 'DELETE /field/{id}', { path: { id }, ...options })
}

/** Restore a deleted Field */
export function restore(gantry: Gantry, id: string, options: Options<'POST /field/{id}/restore'> = {}): Call<Answer<'POST /field/{id}/restore'>> {
  return call(gantry, 'POST /field/{id}/restore', { path: { id }, ...options })
}

/** History of a Field */
export function history(gantry: Gantry, id: string, options: Options<'GET /field/{id}/history'> = {}): Call<Answer<'GET /field/{id}/history'>> {
  return call(gantry, 'GET /field/{id}/history', { path: { id }, ...options })
}

/** Check one Field */
export function check(gantry: Gantry, id: string, options: Options<'GET /field/{id}/check'> = {}): Call<Answer<'GET /field/{id}/check'>> {
  return call(gantry, 'GET /field/{id}/check', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/{id}'>) => Body<'PATCH /field/{id}'>): Promise<Answer<'PATCH /field/{id}'>> {
  return changeRecord(gantry, 'GET /field/{id}', 'PATCH /field/{id}', { id }, compute)
}
