// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/json'> = {}): Pages<Listed<'GET /field/json'>> {
  return pagesOf(gantry, 'GET /field/json', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/json'>, options: Options<'POST /field/json'> = {}): Call<Answer<'POST /field/json'>> {
  return call(gantry, 'POST /field/json', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/json/{id}'> = {}): Call<Answer<'GET /field/json/{id}'>> {
  return call(gantry, 'GET /field/json/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/json/{id}'>, options: Options<'PATCH /field/json/{id}'> = {}): Call<Answer<'PATCH /field/json/{id}'>> {
  return call(gantry, 'PATCH /field/json/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/json/{id}'> = {}): Call<Answer<'DELETE /field/json/{id}'>> {
  return call(gantry, 'DELETE /field/json/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/json/{id}'>) => Body<'PATCH /field/json/{id}'>): Promise<Answer<'PATCH /field/json/{id}'>> {
  return changeRecord(gantry, 'GET /field/json/{id}', 'PATCH /field/json/{id}', { id }, compute)
}
