// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/cascade'> = {}): Pages<Listed<'GET /field/cascade'>> {
  return pagesOf(gantry, 'GET /field/cascade', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/cascade'>, options: Options<'POST /field/cascade'> = {}): Call<Answer<'POST /field/cascade'>> {
  return call(gantry, 'POST /field/cascade', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/cascade/{id}'> = {}): Call<Answer<'GET /field/cascade/{id}'>> {
  return call(gantry, 'GET /field/cascade/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/cascade/{id}'>, options: Options<'PATCH /field/cascade/{id}'> = {}): Call<Answer<'PATCH /field/cascade/{id}'>> {
  return call(gantry, 'PATCH /field/cascade/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/cascade/{id}'> = {}): Call<Answer<'DELETE /field/cascade/{id}'>> {
  return call(gantry, 'DELETE /field/cascade/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/cascade/{id}'>) => Body<'PATCH /field/cascade/{id}'>): Promise<Answer<'PATCH /field/cascade/{id}'>> {
  return changeRecord(gantry, 'GET /field/cascade/{id}', 'PATCH /field/cascade/{id}', { id }, compute)
}
