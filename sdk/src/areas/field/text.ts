// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/text'> = {}): Pages<Listed<'GET /field/text'>> {
  return pagesOf(gantry, 'GET /field/text', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/text'>, options: Options<'POST /field/text'> = {}): Call<Answer<'POST /field/text'>> {
  return call(gantry, 'POST /field/text', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/text/{id}'> = {}): Call<Answer<'GET /field/text/{id}'>> {
  return call(gantry, 'GET /field/text/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/text/{id}'>, options: Options<'PATCH /field/text/{id}'> = {}): Call<Answer<'PATCH /field/text/{id}'>> {
  return call(gantry, 'PATCH /field/text/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/text/{id}'> = {}): Call<Answer<'DELETE /field/text/{id}'>> {
  return call(gantry, 'DELETE /field/text/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/text/{id}'>) => Body<'PATCH /field/text/{id}'>): Promise<Answer<'PATCH /field/text/{id}'>> {
  return changeRecord(gantry, 'GET /field/text/{id}', 'PATCH /field/text/{id}', { id }, compute)
}
