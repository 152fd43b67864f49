// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Crms */
export function list(gantry: Gantry, query: Query<'GET /finance/crm'> = {}): Pages<Listed<'GET /finance/crm'>> {
  return pagesOf(gantry, 'GET /finance/crm', { query })
}

/** Create one Crm */
export function create(gantry: Gantry, body: Body<'POST /finance/crm'>, options: Options<'POST /finance/crm'> = {}): Call<Answer<'POST /finance/crm'>> {
  return call(gantry, 'POST /finance/crm', { body, ...options })
}

/** Get one Crm */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/crm/{id}'> = {}): Call<Answer<'GET /finance/crm/{id}'>> {
  return call(gantry, 'GET /finance/crm/{id}', { path: { id }, ...options })
}

/** Update one Crm */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/crm/{id}'>, options: Options<'PATCH /finance/crm/{id}'> = {}): Call<Answer<'PATCH /finance/crm/{id}'>> {
  return call(gantry, 'PATCH /finance/crm/{id}', { path: { id }, body, ...options })
}

/** Delete one Crm */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/crm/{id}'> = {}): Call<Answer<'DELETE /finance/crm/{id}'>> {
  return call(gantry, 'DELETE /finance/crm/{id}', { path: { id }, ...options })
}

/** Restore a deleted Crm */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/crm/{id}/restore'> = {}): Call<Answer<'POST /finance/crm/{id}/restore'>> {
  return call(gantry, 'POST /finance/crm/{id}/restore', { path: { id }, ...options })
}

/** History of a Crm */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/crm/{id}/history'> = {}): Call<Answer<'GET /finance/crm/{id}/history'>> {
  return call(gantry, 'GET /finance/crm/{id}/history', { path: { id }, ...options })
}

/** Check one Crm */
export function check(gantry: Gantry, id: string, options: Options<'GET /finance/crm/{id}/check'> = {}): Call<Answer<'GET /finance/crm/{id}/check'>> {
  return call(gantry, 'GET /finance/crm/{id}/check', { path: { id }, ...options })
}

/** Sum a customer up */
export function summary(gantry: Gantry, id: string, options: Options<'GET /finance/crm/{id}/summary'> = {}): Call<Answer<'GET /finance/crm/{id}/summary'>> {
  return call(gantry, 'GET /finance/crm/{id}/summary', { path: { id }, ...options })
}

/** Merge a customer into another */
export function merge(gantry: Gantry, id: string, body: Body<'POST /finance/crm/{id}/merge'>, options: Options<'POST /finance/crm/{id}/merge'> = {}): Call<Answer<'POST /finance/crm/{id}/merge'>> {
  return call(gantry, 'POST /finance/crm/{id}/merge', { path: { id }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/crm/{id}'>) => Body<'PATCH /finance/crm/{id}'>): Promise<Answer<'PATCH /finance/crm/{id}'>> {
  return changeRecord(gantry, 'GET /finance/crm/{id}', 'PATCH /finance/crm/{id}', { id }, compute)
}
