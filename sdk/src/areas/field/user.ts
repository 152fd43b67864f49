// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/user'> = {}): Pages<Listed<'GET /field/user'>> {
  return pagesOf(gantry, 'GET /field/user', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/user'>, options: Options<'POST /field/user'> = {}): Call<Answer<'POST /field/user'>> {
  return call(gantry, 'POST /field/user', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/user/{id}'> = {}): Call<Answer<'GET /field/user/{id}'>> {
  return call(gantry, 'GET /field/user/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/user/{id}'>, options: Options<'PATCH /field/user/{id}'> = {}): Call<Answer<'PATCH /field/user/{id}'>> {
  return call(gantry, 'PATCH /field/user/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/user/{id}'> = {}): Call<Answer<'DELETE /field/user/{id}'>> {
  return call(gantry, 'DELETE /field/user/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/user/{id}'>) => Body<'PATCH /field/user/{id}'>): Promise<Answer<'PATCH /field/user/{id}'>> {
  return changeRecord(gantry, 'GET /field/user/{id}', 'PATCH /field/user/{id}', { id }, compute)
}
