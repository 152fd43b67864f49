// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Budgets */
export function list(gantry: Gantry, query: Query<'GET /finance/budget'> = {}): Pages<Listed<'GET /finance/budget'>> {
  return pagesOf(gantry, 'GET /finance/budget', { query })
}

/** Create one Budget */
export function create(gantry: Gantry, body: Body<'POST /finance/budget'>, options: Options<'POST /finance/budget'> = {}): Call<Answer<'POST /finance/budget'>> {
  return call(gantry, 'POST /finance/budget', { body, ...options })
}

/** Get one Budget */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/budget/{id}'> = {}): Call<Answer<'GET /finance/budget/{id}'>> {
  return call(gantry, 'GET /finance/budget/{id}', { path: { id }, ...options })
}

/** Update one Budget */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/budget/{id}'>, options: Options<'PATCH /finance/budget/{id}'> = {}): Call<Answer<'PATCH /finance/budget/{id}'>> {
  return call(gantry, 'PATCH /finance/budget/{id}', { path: { id }, body, ...options })
}

/** Delete one Budget */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/budget/{id}'> = {}): Call<Answer<'DELETE /finance/budget/{id}'>> {
  return call(gantry, 'DELETE /finance/budget/{id}', { path: { id }, ...options })
}

/** Restore a deleted Budget */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/budget/{id}/restore'> = {}): Call<Answer<'POST /finance/budget/{id}/restore'>> {
  return call(gantry, 'POST /finance/budget/{id}/restore', { path: { id }, ...options })
}

/** History of a Budget */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/budget/{id}/history'> = {}): Call<Answer<'GET /finance/budget/{id}/history'>> {
  return call(gantry, 'GET /finance/budget/{id}/history', { path: { id }, ...options })
}

/** Check one Budget */
export function check(gantry: Gantry, id: string, options: Options<'GET /finance/budget/{id}/check'> = {}): Call<Answer<'GET /finance/budget/{id}/check'>> {
  return call(gantry, 'GET /finance/budget/{id}/check', { path: { id }, ...options })
}

/** Compare a budget with what was used */
export function balance(gantry: Gantry, id: string, options: Options<'GET /finance/budget/{id}/balance'> = {}): Call<Answer<'GET /finance/budget/{id}/balance'>> {
  return call(gantry, 'GET /finance/budget/{id}/balance', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/budget/{id}'>) => Body<'PATCH /finance/budget/{id}'>): Promise<Answer<'PATCH /finance/budget/{id}'>> {
  return changeRecord(gantry, 'GET /finance/budget/{id}', 'PATCH /finance/budget/{id}', { id }, compute)
}
