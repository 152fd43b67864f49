// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/url'> = {}): Pages<Listed<'GET /field/url'>> {
  return pagesOf(gantry, 'GET /field/url', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/url'>, options: Options<'POST /field/url'> = {}): Call<Answer<'POST /field/url'>> {
  return call(gantry, 'POST /field/url', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/url/{id}'> = {}): Call<Answer<'GET /field/url/{id}'>> {
  return call(gantry, 'GET /field/url/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/url/{id}'>, options: Options<'PATCH /field/url/{id}'> = {}): Call<Answer<'PATCH /field/url/{id}'>> {
  return call(gantry, 'PATCH /field/url/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/url/{id}'> = {}): Call<Answer<'DELETE /field/url/{id}'>> {
  return call(gantry, 'DELETE /field/url/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/url/{id}'>) => Body<'PATCH /field/url/{id}'>): Promise<Answer<'PATCH /field/url/{id}'>> {
  return changeRecord(gantry, 'GET /field/url/{id}', 'PATCH /field/url/{id}', { id }, compute)
}
