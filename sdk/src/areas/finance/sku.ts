// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Skus */
export function list(gantry: Gantry, query: Query<'GET /finance/sku'> = {}): Pages<Listed<'GET /finance/sku'>> {
  return pagesOf(gantry, 'GET /finance/sku', { query })
}

/** Create one Sku */
export function create(gantry: Gantry, body: Body<'POST /finance/sku'>, options: Options<'POST /finance/sku'> = {}): Call<Answer<'POST /finance/sku'>> {
  return call(gantry, 'POST /finance/sku', { body, ...options })
}

/** Get one Sku */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/sku/{id}'> = {}): Call<Answer<'GET /finance/sku/{id}'>> {
  return call(gantry, 'GET /finance/sku/{id}', { path: { id }, ...options })
}

/** Update one Sku */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/sku/{id}'>, options: Options<'PATCH /finance/sku/{id}'> = {}): Call<Answer<'PATCH /finance/sku/{id}'>> {
  return call(gantry, 'PATCH /finance/sku/{id}', { path: { id }, body, ...options })
}

/** Delete one Sku */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/sku/{id}'> = {}): Call<Answer<'DELETE /finance/sku/{id}'>> {
  return call(gantry, 'DELETE /finance/sku/{id}', { path: { id }, ...options })
}

/** Restore a deleted Sku */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/sku/{id}/restore'> = {}): Call<Answer<'POST /finance/sku/{id}/restore'>> {
  return call(gantry, 'POST /finance/sku/{id}/restore', { path: { id }, ...options })
}

/** History of a Sku */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/sku/{id}/history'> = {}): Call<Answer<'GET /finance/sku/{id}/history'>> {
  return call(gantry, 'GET /finance/sku/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/sku/{id}'>) => Body<'PATCH /finance/sku/{id}'>): Promise<Answer<'PATCH /finance/sku/{id}'>> {
  return changeRecord(gantry, 'GET /finance/sku/{id}', 'PATCH /finance/sku/{id}', { id }, compute)
}
