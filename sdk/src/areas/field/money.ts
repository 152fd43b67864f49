// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/money'> = {}): Pages<Listed<'GET /field/money'>> {
  return pagesOf(gantry, 'GET /field/money', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/money'>, options: Options<'POST /field/money'> = {}): Call<Answer<'POST /field/money'>> {
  return call(gantry, 'POST /field/money', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/money/{id}'> = {}): Call<Answer<'GET /field/money/{id}'>> {
  return call(gantry, 'GET /field/money/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/money/{id}'>, options: Options<'PATCH /field/money/{id}'> = {}): Call<Answer<'PATCH /field/money/{id}'>> {
  return call(gantry, 'PATCH /field/money/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/money/{id}'> = {}): Call<Answer<'DELETE /field/money/{id}'>> {
  return call(gantry, 'DELETE /field/money/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/money/{id}'>) => Body<'PATCH /field/money/{id}'>): Promise<Answer<'PATCH /field/money/{id}'>> {
  return changeRecord(gantry, 'GET /field/money/{id}', 'PATCH /field/money/{id}', { id }, compute)
}
