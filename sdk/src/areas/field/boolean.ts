// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/boolean'> = {}): Pages<Listed<'GET /field/boolean'>> {
  return pagesOf(gantry, 'GET /field/boolean', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/boolean'>, options: Options<'POST /field/boolean'> = {}): Call<Answer<'POST /field/boolean'>> {
  return call(gantry, 'POST /field/boolean', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/boolean/{id}'> = {}): Call<Answer<'GET /field/boolean/{id}'>> {
  return call(gantry, 'GET /field/boolean/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/boolean/{id}'>, options: Options<'PATCH /field/boolean/{id}'> = {}): Call<Answer<'PATCH /field/boolean/{id}'>> {
  return call(gantry, 'PATCH /field/boolean/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/boolean/{id}'> = {}): Call<Answer<'DELETE /field/boolean/{id}'>> {
  return call(gantry, 'DELETE /field/boolean/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/boolean/{id}'>) => Body<'PATCH /field/boolean/{id}'>): Promise<Answer<'PATCH /field/boolean/{id}'>> {
  return changeRecord(gantry, 'GET /field/boolean/{id}', 'PATCH /field/boolean/{id}', { id }, compute)
}
