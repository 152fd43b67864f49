// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/date'> = {}): Pages<Listed<'GET /field/date'>> {
  return pagesOf(gantry, 'GET /field/date', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/date'>, options: Options<'POST /field/date'> = {}): Call<Answer<'POST /field/date'>> {
  return call(gantry, 'POST /field/date', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/date/{id}'> = {}): Call<Answer<'GET /field/date/{id}'>> {
  return call(gantry, 'GET /field/date/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/date/{id}'>, options: Options<'PATCH /field/date/{id}'> = {}): Call<Answer<'PATCH /field/date/{id}'>> {
  return call(gantry, 'PATCH /field/date/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/date/{id}'> = {}): Call<Answer<'DELETE /field/date/{id}'>> {
  return call(gantry, 'DELETE /field/date/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/date/{id}'>) => Body<'PATCH /field/date/{id}'>): Promise<Answer<'PATCH /field/date/{id}'>> {
  return changeRecord(gantry, 'GET /field/date/{id}', 'PATCH /field/date/{id}', { id }, compute)
}
