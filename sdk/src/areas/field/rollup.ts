// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/rollup'> = {}): Pages<Listed<'GET /field/rollup'>> {
  return pagesOf(gantry, 'GET /field/rollup', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/rollup'>, options: Options<'POST /field/rollup'> = {}): Call<Answer<'POST /field/rollup'>> {
  return call(gantry, 'POST /field/rollup', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/rollup/{id}'> = {}): Call<Answer<'GET /field/rollup/{id}'>> {
  return call(gantry, 'GET /field/rollup/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/rollup/{id}'>, options: Options<'PATCH /field/rollup/{id}'> = {}): Call<Answer<'PATCH /field/rollup/{id}'>> {
  return call(gantry, 'PATCH /field/rollup/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/rollup/{id}'> = {}): Call<Answer<'DELETE /field/rollup/{id}'>> {
  return call(gantry, 'DELETE /field/rollup/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/rollup/{id}'>) => Body<'PATCH /field/rollup/{id}'>): Promise<Answer<'PATCH /field/rollup/{id}'>> {
  return changeRecord(gantry, 'GET /field/rollup/{id}', 'PATCH /field/rollup/{id}', { id }, compute)
}
