// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Rates */
export function list(gantry: Gantry, query: Query<'GET /finance/rate'> = {}): Pages<Listed<'GET /finance/rate'>> {
  return pagesOf(gantry, 'GET /finance/rate', { query })
}

/** Create one Rate */
export function create(gantry: Gantry, body: Body<'POST /finance/rate'>, options: Options<'POST /finance/rate'> = {}): Call<Answer<'POST /finance/rate'>> {
  return call(gantry, 'POST /finance/rate', { body, ...options })
}

/** Get one Rate */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/rate/{id}'> = {}): Call<Answer<'GET /finance/rate/{id}'>> {
  return call(gantry, 'GET /finance/rate/{id}', { path: { id }, ...options })
}

/** Update one Rate */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/rate/{id}'>, options: Options<'PATCH /finance/rate/{id}'> = {}): Call<Answer<'PATCH /finance/rate/{id}'>> {
  return call(gantry, 'PATCH /finance/rate/{id}', { path: { id }, body, ...options })
}

/** Delete one Rate */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/rate/{id}'> = {}): Call<Answer<'DELETE /finance/rate/{id}'>> {
  return call(gantry, 'DELETE /finance/rate/{id}', { path: { id }, ...options })
}

/** Restore a deleted Rate */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/rate/{id}/restore'> = {}): Call<Answer<'POST /finance/rate/{id}/restore'>> {
  return call(gantry, 'POST /finance/rate/{id}/restore', { path: { id }, ...options })
}

/** History of a Rate */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/rate/{id}/history'> = {}): Call<Answer<'GET /finance/rate/{id}/history'>> {
  return call(gantry, 'GET /finance/rate/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/rate/{id}'>) => Body<'PATCH /finance/rate/{id}'>): Promise<Answer<'PATCH /finance/rate/{id}'>> {
  return changeRecord(gantry, 'GET /finance/rate/{id}', 'PATCH /finance/rate/{id}', { id }, compute)
}
