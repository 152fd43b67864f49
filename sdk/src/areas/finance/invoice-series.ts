// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List InvoiceSeries */
export function list(gantry: Gantry, query: Query<'GET /finance/invoice-series'> = {}): Pages<Listed<'GET /finance/invoice-series'>> {
  return pagesOf(gantry, 'GET /finance/invoice-series', { query })
}

/** Create one InvoiceSeries */
export function create(gantry: Gantry, body: Body<'POST /finance/invoice-series'>, options: Options<'POST /finance/invoice-series'> = {}): Call<Answer<'POST /finance/invoice-series'>> {
  return call(gantry, 'POST /finance/invoice-series', { body, ...options })
}

/** Get one InvoiceSeries */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/invoice-series/{id}'> = {}): Call<Answer<'GET /finance/invoice-series/{id}'>> {
  return call(gantry, 'GET /finance/invoice-series/{id}', { path: { id }, ...options })
}

/** Update one InvoiceSeries */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/invoice-series/{id}'>, options: Options<'PATCH /finance/invoice-series/{id}'> = {}): Call<Answer<'PATCH /finance/invoice-series/{id}'>> {
  return call(gantry, 'PATCH /finance/invoice-series/{id}', { path: { id }, body, ...options })
}

/** Delete one InvoiceSeries */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/invoice-series/{id}'> = {}): Call<Answer<'DELETE /finance/invoice-series/{id}'>> {
  return call(gantry, 'DELETE /finance/invoice-series/{id}', { path: { id }, ...options })
}

/** Restore a deleted InvoiceSeries */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/invoice-series/{id}/restore'> = {}): Call<Answer<'POST /finance/invoice-series/{id}/restore'>> {
  return call(gantry, 'POST /finance/invoice-series/{id}/restore', { path: { id }, ...options })
}

/** History of a InvoiceSeries */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/invoice-series/{id}/history'> = {}): Call<Answer<'GET /finance/invoice-series/{id}/history'>> {
  return call(gantry, 'GET /finance/invoice-series/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/invoice-series/{id}'>) => Body<'PATCH /finance/invoice-series/{id}'>): Promise<Answer<'PATCH /finance/invoice-series/{id}'>> {
  return changeRecord(gantry, 'GET /finance/invoice-series/{id}', 'PATCH /finance/invoice-series/{id}', { id }, compute)
}
