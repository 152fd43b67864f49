// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/number'> = {}): Pages<Listed<'GET /field/number'>> {
  return pagesOf(gantry, 'GET /field/number', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/number'>, options: Options<'POST /field/number'> = {}): Call<Answer<'POST /field/number'>> {
  return call(gantry, 'POST /field/number', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/number/{id}'> = {}): Call<Answer<'GET /field/number/{id}'>> {
  return call(gantry, 'GET /field/number/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/number/{id}'>, options: Options<'PATCH /field/number/{id}'> = {}): Call<Answer<'PATCH /field/number/{id}'>> {
  return call(gantry, 'PATCH /field/number/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/number/{id}'> = {}): Call<Answer<'DELETE /field/number/{id}'>> {
  return call(gantry, 'DELETE /field/number/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/number/{id}'>) => Body<'PATCH /field/number/{id}'>): Promise<Answer<'PATCH /field/number/{id}'>> {
  return changeRecord(gantry, 'GET /field/number/{id}', 'PATCH /field/number/{id}', { id }, compute)
}
