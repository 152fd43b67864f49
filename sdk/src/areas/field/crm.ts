// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Fields */
export function list(gantry: Gantry, query: Query<'GET /field/crm'> = {}): Pages<Listed<'GET /field/crm'>> {
  return pagesOf(gantry, 'GET /field/crm', { query })
}

/** Create one Field */
export function create(gantry: Gantry, body: Body<'POST /field/crm'>, options: Options<'POST /field/crm'> = {}): Call<Answer<'POST /field/crm'>> {
  return call(gantry, 'POST /field/crm', { body, ...options })
}

/** Get one Field */
export function get(gantry: Gantry, id: string, options: Options<'GET /field/crm/{id}'> = {}): Call<Answer<'GET /field/crm/{id}'>> {
  return call(gantry, 'GET /field/crm/{id}', { path: { id }, ...options })
}

/** Update one Field */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /field/crm/{id}'>, options: Options<'PATCH /field/crm/{id}'> = {}): Call<Answer<'PATCH /field/crm/{id}'>> {
  return call(gantry, 'PATCH /field/crm/{id}', { path: { id }, body, ...options })
}

/** Delete one Field */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /field/crm/{id}'> = {}): Call<Answer<'DELETE /field/crm/{id}'>> {
  return call(gantry, 'DELETE /field/crm/{id}', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /field/crm/{id}'>) => Body<'PATCH /field/crm/{id}'>): Promise<Answer<'PATCH /field/crm/{id}'>> {
  return changeRecord(gantry, 'GET /field/crm/{id}', 'PATCH /field/crm/{id}', { id }, compute)
}
