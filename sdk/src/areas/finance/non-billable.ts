// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List NonBillables */
export function list(gantry: Gantry, query: Query<'GET /finance/non-billable'> = {}): Pages<Listed<'GET /finance/non-billable'>> {
  return pagesOf(gantry, 'GET /finance/non-billable', { query })
}

/** Create one NonBillable */
export function create(gantry: Gantry, body: Body<'POST /finance/non-billable'>, options: Options<'POST /finance/non-billable'> = {}): Call<Answer<'POST /finance/non-billable'>> {
  return call(gantry, 'POST /finance/non-billable', { body, ...options })
}

/** Get one NonBillable */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/non-billable/{id}'> = {}): Call<Answer<'GET /finance/non-billable/{id}'>> {
  return call(gantry, 'GET /finance/non-billable/{id}', { path: { id }, ...options })
}

/** Update one NonBillable */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/non-billable/{id}'>, options: Options<'PATCH /finance/non-billable/{id}'> = {}): Call<Answer<'PATCH /finance/non-billable/{id}'>> {
  return call(gantry, 'PATCH /finance/non-billable/{id}', { path: { id }, body, ...options })
}

/** Delete one NonBillable */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/non-billable/{id}'> = {}): Call<Answer<'DELETE /finance/non-billable/{id}'>> {
  return call(gantry, 'DELETE /finance/non-billable/{id}', { path: { id }, ...options })
}

/** Restore a deleted NonBillable */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/non-billable/{id}/restore'> = {}): Call<Answer<'POST /finance/non-billable/{id}/restore'>> {
  return call(gantry, 'POST /finance/non-billable/{id}/restore', { path: { id }, ...options })
}

/** History of a NonBillable */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/non-billable/{id}/history'> = {}): Call<Answer<'GET /finance/non-billable/{id}/history'>> {
  return call(gantry, 'GET /finance/non-billable/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/non-billable/{id}'>) => Body<'PATCH /finance/non-billable/{id}'>): Promise<Answer<'PATCH /finance/non-billable/{id}'>> {
  return changeRecord(gantry, 'GET /finance/non-billable/{id}', 'PATCH /finance/non-billable/{id}', { id }, compute)
}
