// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/multiSelect'> = {}): Pages<Listed<'GET /field/multiSelect'>> {
  return pagesOf(gantry, 'GET /field/multiSelect', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/multiSelect'>, options: Options<'POST /field/multiSelect'> = {}): Call<Answer<'POST /field/multiSelect'>> {
  return call(gantry, 'POST /field/multiSelect', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/multiSelect/{id}'> = {}): Call<Answer<'GET /field/multiSelect/{id}'>> {
  return call(gantry, 'GET /field/multiSelect/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/multiSelect/{id}'>, options: Options<'PATCH /field/multiSelect/{id}'> = {}): Call<Answer<'PATCH /field/multiSelect/{id}'>> {
  return call(gantry, 'PATCH /field/multiSelect/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/multiSelect/{id}'> = {}): Call<Answer<'DELETE /field/multiSelect/{id}'>> {
  return call(gantry, 'DELETE /field/multiSelect/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/multiSelect/{id}'>) => Body<'PATCH /field/multiSelect/{id}'>): Promise<Answer<'PATCH /field/multiSelect/{id}'>> {
  return changeRecord(gantry, 'GET /field/multiSelect/{id}', 'PATCH /field/multiSelect/{id}', { id }, compute)
}
