// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/time'> = {}): Pages<Listed<'GET /field/time'>> {
  return pagesOf(gantry, 'GET /field/time', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/time'>, options: Options<'POST /field/time'> = {}): Call<Answer<'POST /field/time'>> {
  return call(gantry, 'POST /field/time', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/time/{id}'> = {}): Call<Answer<'GET /field/time/{id}'>> {
  return call(gantry, 'GET /field/time/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/time/{id}'>, options: Options<'PATCH /field/time/{id}'> = {}): Call<Answer<'PATCH /field/time/{id}'>> {
  return call(gantry, 'PATCH /field/time/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/time/{id}'> = {}): Call<Answer<'DELETE /field/time/{id}'>> {
  return call(gantry, 'DELETE /field/time/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/time/{id}'>) => Body<'PATCH /field/time/{id}'>): Promise<Answer<'PATCH /field/time/{id}'>> {
  return changeRecord(gantry, 'GET /field/time/{id}', 'PATCH /field/time/{id}', { id }, compute)
}
