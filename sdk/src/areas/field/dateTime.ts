// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/dateTime'> = {}): Pages<Listed<'GET /field/dateTime'>> {
  return pagesOf(gantry, 'GET /field/dateTime', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/dateTime'>, options: Options<'POST /field/dateTime'> = {}): Call<Answer<'POST /field/dateTime'>> {
  return call(gantry, 'POST /field/dateTime', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/dateTime/{id}'> = {}): Call<Answer<'GET /field/dateTime/{id}'>> {
  return call(gantry, 'GET /field/dateTime/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/dateTime/{id}'>, options: Options<'PATCH /field/dateTime/{id}'> = {}): Call<Answer<'PATCH /field/dateTime/{id}'>> {
  return call(gantry, 'PATCH /field/dateTime/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/dateTime/{id}'> = {}): Call<Answer<'DELETE /field/dateTime/{id}'>> {
  return call(gantry, 'DELETE /field/dateTime/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/dateTime/{id}'>) => Body<'PATCH /field/dateTime/{id}'>): Promise<Answer<'PATCH /field/dateTime/{id}'>> {
  return changeRecord(gantry, 'GET /field/dateTime/{id}', 'PATCH /field/dateTime/{id}', { id }, compute)
}
