// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../../types.ts'

/** List BudgetEntries */
export function list(gantry: Gantry, budgetId: string, query: Query<'GET /finance/budget/{budgetId}/entry'> = {}): Pages<Listed<'GET /finance/budget/{budgetId}/entry'>> {
  return pagesOf(gantry, 'GET /finance/budget/{budgetId}/entry', { path: { budgetId }, query })
}

/** Create one BudgetEntry */
export function create(gantry: Gantry, budgetId: string, body: Body<'POST /finance/budget/{budgetId}/entry'>, options: Options<'POST /finance/budget/{budgetId}/entry'> = {}): Call<Answer<'POST /finance/budget/{budgetId}/entry'>> {
  return call(gantry, 'POST /finance/budget/{budgetId}/entry', { path: { budgetId }, body, ...options })
}

/** Get one BudgetEntry */
export function get(gantry: Gantry, budgetId: string, entryId: string, options: Options<'GET /finance/budget/{budgetId}/entry/{entryId}'> = {}): Call<Answer<'GET /finance/budget/{budgetId}/entry/{entryId}'>> {
  return call(gantry, 'GET /finance/budget/{budgetId}/entry/{entryId}', { path: { budgetId, entryId }, ...options })
}

/** Update one BudgetEntry */
export function update(gantry: Gantry, budgetId: string, entryId: string, body: Body<'PATCH /finance/budget/{budgetId}/entry/{entryId}'>, options: Options<'PATCH /finance/budget/{budgetId}/entry/{entryId}'> = {}): Call<Answer<'PATCH /finance/budget/{budgetId}/entry/{entryId}'>> {
  return call(gantry, 'PATCH /finance/budget/{budgetId}/entry/{entryId}', { path: { budgetId, entryId }, body, ...options })
}

/** Delete one BudgetEntry */
export function remove(gantry: Gantry, budgetId: string, entryId: string, options: Options<'DELETE /finance/budget/{budgetId}/entry/{entryId}'> = {}): Call<Answer<'DELETE /finance/budget/{budgetId}/entry/{entryId}'>> {
  return call(gantry, 'DELETE /finance/budget/{budgetId}/entry/{entryId}', { path: { budgetId, entryId }, ...options })
}

/** Restore a deleted BudgetEntry */
export function restore(gantry: Gantry, budgetId: string, entryId: string, options: Options<'POST /finance/budget/{budgetId}/entry/{entryId}/restore'> = {}): Call<Answer<'POST /finance/budget/{budgetId}/entry/{entryId}/restore'>> {
  return call(gantry, 'POST /finance/budget/{budgetId}/entry/{entryId}/restore', { path: { budgetId, entryId }, ...options })
}

/** History of a BudgetEntry */
export function history(gantry: Gantry, budgetId: string, entryId: string, options: Options<'GET /finance/budget/{budgetId}/entry/{entryId}/history'> = {}): Call<Answer<'GET /finance/budget/{budgetId}/entry/{entryId}/history'>> {
  return call(gantry, 'GET /finance/budget/{budgetId}/entry/{entryId}/history', { path: { budgetId, entryId }, ...options })
}

/** Approve a change of a budget */
export function approve(gantry: Gantry, budgetId: string, entryId: string, body: Body<'POST /finance/budget/{budgetId}/entry/{entryId}/approve'>, options: Options<'POST /finance/budget/{budgetId}/entry/{entryId}/approve'> = {}): Call<Answer<'POST /finance/budget/{budgetId}/entry/{entryId}/approve'>> {
  return call(gantry, 'POST /finance/budget/{budgetId}/entry/{entryId}/approve', { path: { budgetId, entryId }, body, ...options })
}

/** Reject a change of a budget */
export function reject(gantry: Gantry, budgetId: string, entryId: string, body: Body<'POST /finance/budget/{budgetId}/entry/{entryId}/reject'>, options: Options<'POST /finance/budget/{budgetId}/entry/{entryId}/reject'> = {}): Call<Answer<'POST /finance/budget/{budgetId}/entry/{entryId}/reject'>> {
  return call(gantry, 'POST /finance/budget/{budgetId}/entry/{entryId}/reject', { path: { budgetId, entryId }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, budgetId: string, entryId: string, compute: (current: Answer<'GET /finance/budget/{budgetId}/entry/{entryId}'>) => Body<'PATCH /finance/budget/{budgetId}/entry/{entryId}'>): Promise<Answer<'PATCH /finance/budget/{budgetId}/entry/{entryId}'>> {
  return changeRecord(gantry, 'GET /finance/budget/{budgetId}/entry/{entryId}', 'PATCH /finance/budget/{budgetId}/entry/{entryId}', { budgetId, entryId }, compute)
}
