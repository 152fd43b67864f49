// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/file'> = {}): Pages<Listed<'GET /field/file'>> {
  return pagesOf(gantry, 'GET /field/file', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/file'>, options: Options<'POST /field/file'> = {}): Call<Answer<'POST /field/file'>> {
  return call(gantry, 'POST /field/file', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/file/{id}'> = {}): Call<Answer<'GET /field/file/{id}'>> {
  return call(gantry, 'GET /field/file/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/file/{id}'>, options: Options<'PATCH /field/file/{id}'> = {}): Call<Answer<'PATCH /field/file/{id}'>> {
  return call(gantry, 'PATCH /field/file/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/file/{id}'> = {}): Call<Answer<'DELETE /field/file/{id}'>> {
  return call(gantry, 'DELETE /field/file/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/file/{id}'>) => Body<'PATCH /field/file/{id}'>): Promise<Answer<'PATCH /field/file/{id}'>> {
  return changeRecord(gantry, 'GET /field/file/{id}', 'PATCH /field/file/{id}', { id }, compute)
}
