// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf, responseOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** Draft an invoice from booked time */
export function draft(gantry: Gantry, body: Body<'POST /finance/invoice/draft'>, options: Options<'POST /finance/invoice/draft'> = {}): Call<Answer<'POST /finance/invoice/draft'>> {
  return call(gantry, 'POST /finance/invoice/draft', { body, ...options })
}

/** List Invoices */
export function list(gantry: Gantry, query: Query<'GET /finance/invoice'> = {}): Pages<Listed<'GET /finance/invoice'>> {
  return pagesOf(gantry, 'GET /finance/invoice', { query })
}

/** Create one Invoice */
export function create(gantry: Gantry, body: Body<'POST /finance/invoice'>, options: Options<'POST /finance/invoice'> = {}): Call<Answer<'POST /finance/invoice'>> {
  return call(gantry, 'POST /finance/invoice', { body, ...options })
}

/** Get one Invoice */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/invoice/{id}'> = {}): Call<Answer<'GET /finance/invoice/{id}'>> {
  return call(gantry, 'GET /finance/invoice/{id}', { path: { id }, ...options })
}

/** Update one Invoice */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/invoice/{id}'>, options: Options<'PATCH /finance/invoice/{id}'> = {}): Call<Answer<'PATCH /finance/invoice/{id}'>> {
  return call(gantry, 'PATCH /finance/invoice/{id}', { path: { id }, body, ...options })
}

/** Delete one Invoice */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/invoice/{id}'> = {}): Call<Answer<'DELETE /finance/invoice/{id}'>> {
  return call(gantry, 'DELETE /finance/invoice/{id}', { path: { id }, ...options })
}

/** Restore a deleted Invoice */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/invoice/{id}/restore'> = {}): Call<Answer<'POST /finance/invoice/{id}/restore'>> {
  return call(gantry, 'POST /finance/invoice/{id}/restore', { path: { id }, ...options })
}

/** History of a Invoice */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/invoice/{id}/history'> = {}): Call<Answer<'GET /finance/invoice/{id}/history'>> {
  return call(gantry, 'GET /finance/invoice/{id}/history', { path: { id }, ...options })
}

/** Approve an invoice */
export function approve(gantry: Gantry, id: string, options: Options<'POST /finance/invoice/{id}/approve'> = {}): Call<Answer<'POST /finance/invoice/{id}/approve'>> {
  return call(gantry, 'POST /finance/invoice/{id}/approve', { path: { id }, ...options })
}

/** Withdraw the approval of an invoice */
export function withdraw(gantry: Gantry, id: string, options: Options<'POST /finance/invoice/{id}/withdraw'> = {}): Call<Answer<'POST /finance/invoice/{id}/withdraw'>> {
  return call(gantry, 'POST /finance/invoice/{id}/withdraw', { path: { id }, ...options })
}

/** Issue an invoice */
export function issue(gantry: Gantry, id: string, body: Body<'POST /finance/invoice/{id}/issue'>, options: Options<'POST /finance/invoice/{id}/issue'> = {}): Call<Answer<'POST /finance/invoice/{id}/issue'>> {
  return call(gantry, 'POST /finance/invoice/{id}/issue', { path: { id }, body, ...options })
}

/** Cancel an invoice that was not issued */
export function cancel(gantry: Gantry, id: string, options: Options<'POST /finance/invoice/{id}/cancel'> = {}): Call<Answer<'POST /finance/invoice/{id}/cancel'>> {
  return call(gantry, 'POST /finance/invoice/{id}/cancel', { path: { id }, ...options })
}

/** Note that an invoice was exported or paid */
export function mark(gantry: Gantry, id: string, body: Body<'POST /finance/invoice/{id}/mark'>, options: Options<'POST /finance/invoice/{id}/mark'> = {}): Call<Answer<'POST /finance/invoice/{id}/mark'>> {
  return call(gantry, 'POST /finance/invoice/{id}/mark', { path: { id }, body, ...options })
}

/** Credit an issued invoice */
export function credit(gantry: Gantry, id: string, body: Body<'POST /finance/invoice/{id}/credit'>, options: Options<'POST /finance/invoice/{id}/credit'> = {}): Call<Answer<'POST /finance/invoice/{id}/credit'>> {
  return call(gantry, 'POST /finance/invoice/{id}/credit', { path: { id }, body, ...options })
}

/** Export an invoice */
export function exportAll(gantry: Gantry, id: string, options: Options<'GET /finance/invoice/{id}/export'> = {}): Promise<Response> {
  return responseOf(gantry, 'GET /finance/invoice/{id}/export', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/invoice/{id}'>) => Body<'PATCH /finance/invoice/{id}'>): Promise<Answer<'PATCH /finance/invoice/{id}'>> {
  return changeRecord(gantry, 'GET /finance/invoice/{id}', 'PATCH /finance/invoice/{id}', { id }, compute)
}
