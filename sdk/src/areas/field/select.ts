// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/select'> = {}): Pages<Listed<'GET /field/select'>> {
  return pagesOf(gantry, 'GET /field/select', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/select'>, options: Options<'POST /field/select'> = {}): Call<Answer<'POST /field/select'>> {
  return call(gantry, 'POST /field/select', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/select/{id}'> = {}): Call<Answer<'GET /field/select/{id}'>> {
  return call(gantry, 'GET /field/select/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/select/{id}'>, options: Options<'PATCH /field/select/{id}'> = {}): Call<Answer<'PATCH /field/select/{id}'>> {
  return call(gantry, 'PATCH /field/select/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/select/{id}'> = {}): Call<Answer<'DELETE /field/select/{id}'>> {
  return call(gantry, 'DELETE /field/select/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/select/{id}'>) => Body<'PATCH /field/select/{id}'>): Promise<Answer<'PATCH /field/select/{id}'>> {
  return changeRecord(gantry, 'GET /field/select/{id}', 'PATCH /field/select/{id}', { id }, compute)
}
