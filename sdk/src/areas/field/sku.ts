// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/sku'> = {}): Pages<Listed<'GET /field/sku'>> {
  return pagesOf(gantry, 'GET /field/sku', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/sku'>, options: Options<'POST /field/sku'> = {}): Call<Answer<'POST /field/sku'>> {
  return call(gantry, 'POST /field/sku', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/sku/{id}'> = {}): Call<Answer<'GET /field/sku/{id}'>> {
  return call(gantry, 'GET /field/sku/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/sku/{id}'>, options: Options<'PATCH /field/sku/{id}'> = {}): Call<Answer<'PATCH /field/sku/{id}'>> {
  return call(gantry, 'PATCH /field/sku/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/sku/{id}'> = {}): Call<Answer<'DELETE /field/sku/{id}'>> {
  return call(gantry, 'DELETE /field/sku/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/sku/{id}'>) => Body<'PATCH /field/sku/{id}'>): Promise<Answer<'PATCH /field/sku/{id}'>> {
  return changeRecord(gantry, 'GET /field/sku/{id}', 'PATCH /field/sku/{id}', { id }, compute)
}
