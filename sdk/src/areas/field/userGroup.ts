// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/userGroup'> = {}): Pages<Listed<'GET /field/userGroup'>> {
  return pagesOf(gantry, 'GET /field/userGroup', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/userGroup'>, options: Options<'POST /field/userGroup'> = {}): Call<Answer<'POST /field/userGroup'>> {
  return call(gantry, 'POST /field/userGroup', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/userGroup/{id}'> = {}): Call<Answer<'GET /field/userGroup/{id}'>> {
  return call(gantry, 'GET /field/userGroup/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/userGroup/{id}'>, options: Options<'PATCH /field/userGroup/{id}'> = {}): Call<Answer<'PATCH /field/userGroup/{id}'>> {
  return call(gantry, 'PATCH /field/userGroup/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/userGroup/{id}'> = {}): Call<Answer<'DELETE /field/userGroup/{id}'>> {
  return call(gantry, 'DELETE /field/userGroup/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/userGroup/{id}'>) => Body<'PATCH /field/userGroup/{id}'>): Promise<Answer<'PATCH /field/userGroup/{id}'>> {
  return changeRecord(gantry, 'GET /field/userGroup/{id}', 'PATCH /field/userGroup/{id}', { id }, compute)
}
