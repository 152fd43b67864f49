// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/item'> = {}): Pages<Listed<'GET /field/item'>> {
  return pagesOf(gantry, 'GET /field/item', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/item'>, options: Options<'POST /field/item'> = {}): Call<Answer<'POST /field/item'>> {
  return call(gantry, 'POST /field/item', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/item/{id}'> = {}): Call<Answer<'GET /field/item/{id}'>> {
  return call(gantry, 'GET /field/item/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/item/{id}'>, options: Options<'PATCH /field/item/{id}'> = {}): Call<Answer<'PATCH /field/item/{id}'>> {
  return call(gantry, 'PATCH /field/item/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/item/{id}'> = {}): Call<Answer<'DELETE /field/item/{id}'>> {
  return call(gantry, 'DELETE /field/item/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/item/{id}'>) => Body<'PATCH /field/item/{id}'>): Promise<Answer<'PATCH /field/item/{id}'>> {
  return changeRecord(gantry, 'GET /field/item/{id}', 'PATCH /field/item/{id}', { id }, compute)
}
