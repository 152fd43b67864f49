// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/formula'> = {}): Pages<Listed<'GET /field/formula'>> {
  return pagesOf(gantry, 'GET /field/formula', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/formula'>, options: Options<'POST /field/formula'> = {}): Call<Answer<'POST /field/formula'>> {
  return call(gantry, 'POST /field/formula', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/formula/{id}'> = {}): Call<Answer<'GET /field/formula/{id}'>> {
  return call(gantry, 'GET /field/formula/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/formula/{id}'>, options: Options<'PATCH /field/formula/{id}'> = {}): Call<Answer<'PATCH /field/formula/{id}'>> {
  return call(gantry, 'PATCH /field/formula/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/formula/{id}'> = {}): Call<Answer<'DELETE /field/formula/{id}'>> {
  return call(gantry, 'DELETE /field/formula/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/formula/{id}'>) => Body<'PATCH /field/formula/{id}'>): Promise<Answer<'PATCH /field/formula/{id}'>> {
  return changeRecord(gantry, 'GET /field/formula/{id}', 'PATCH /field/formula/{id}', { id }, compute)
}
