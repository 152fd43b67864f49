// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List BudgetReasons */
export function list(gantry: Gantry, query: Query<'GET /finance/budget-reason'> = {}): Pages<Listed<'GET /finance/budget-reason'>> {
  return pagesOf(gantry, 'GET /finance/budget-reason', { query })
}

/** Create one BudgetReason */
export function create(gantry: Gantry, body: Body<'POST /finance/budget-reason'>, options: Options<'POST /finance/budget-reason'> = {}): Call<Answer<'POST /finance/budget-reason'>> {
  return call(gantry, 'POST /finance/budget-reason', { body, ...options })
}

/** Get one BudgetReason */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/budget-reason/{id}'> = {}): Call<Answer<'GET /finance/budget-reason/{id}'>> {
  return call(gantry, 'GET /finance/budget-reason/{id}', { path: { id }, ...options })
}

/** Update one BudgetReason */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/budget-reason/{id}'>, options: Options<'PATCH /finance/budget-reason/{id}'> = {}): Call<Answer<'PATCH /finance/budget-reason/{id}'>> {
  return call(gantry, 'PATCH /finance/budget-reason/{id}', { path: { id }, body, ...options })
}

/** Delete one BudgetReason */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/budget-reason/{id}'> = {}): Call<Answer<'DELETE /finance/budget-reason/{id}'>> {
  return call(gantry, 'DELETE /finance/budget-reason/{id}', { path: { id }, ...options })
}

/** Restore a deleted BudgetReason */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/budget-reason/{id}/restore'> = {}): Call<Answer<'POST /finance/budget-reason/{id}/restore'>> {
  return call(gantry, 'POST /finance/budget-reason/{id}/restore', { path: { id }, ...options })
}

/** History of a BudgetReason */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/budget-reason/{id}/history'> = {}): Call<Answer<'GET /finance/budget-reason/{id}/history'>> {
  return call(gantry, 'GET /finance/budget-reason/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/budget-reason/{id}'>) => Body<'PATCH /finance/budget-reason/{id}'>): Promise<Answer<'PATCH /finance/budget-reason/{id}'>> {
  return changeRecord(gantry, 'GET /finance/budget-reason/{id}', 'PATCH /finance/budget-reason/{id}', { id }, compute)
}
