// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/longText'> = {}): Pages<Listed<'GET /field/longText'>> {
  return pagesOf(gantry, 'GET /field/longText', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/longText'>, options: Options<'POST /field/longText'> = {}): Call<Answer<'POST /field/longText'>> {
  return call(gantry, 'POST /field/longText', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/longText/{id}'> = {}): Call<Answer<'GET /field/longText/{id}'>> {
  return call(gantry, 'GET /field/longText/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/longText/{id}'>, options: Options<'PATCH /field/longText/{id}'> = {}): Call<Answer<'PATCH /field/longText/{id}'>> {
  return call(gantry, 'PATCH /field/longText/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/longText/{id}'> = {}): Call<Answer<'DELETE /field/longText/{id}'>> {
  return call(gantry, 'DELETE /field/longText/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/longText/{id}'>) => Body<'PATCH /field/longText/{id}'>): Promise<Answer<'PATCH /field/longText/{id}'>> {
  return changeRecord(gantry, 'GET /field/longText/{id}', 'PATCH /field/longText/{id}', { id }, compute)
}
