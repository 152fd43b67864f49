// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List CostCenters */
export function list(gantry: Gantry, query: Query<'GET /finance/cost-center'> = {}): Pages<Listed<'GET /finance/cost-center'>> {
  return pagesOf(gantry, 'GET /finance/cost-center', { query })
}

/** Create one CostCenter */
export function create(gantry: Gantry, body: Body<'POST /finance/cost-center'>, options: Options<'POST /finance/cost-center'> = {}): Call<Answer<'POST /finance/cost-center'>> {
  return call(gantry, 'POST /finance/cost-center', { body, ...options })
}

/** Get one CostCenter */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/cost-center/{id}'> = {}): Call<Answer<'GET /finance/cost-center/{id}'>> {
  return call(gantry, 'GET /finance/cost-center/{id}', { path: { id }, ...options })
}

/** Update one CostCenter */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/cost-center/{id}'>, options: Options<'PATCH /finance/cost-center/{id}'> = {}): Call<Answer<'PATCH /finance/cost-center/{id}'>> {
  return call(gantry, 'PATCH /finance/cost-center/{id}', { path: { id }, body, ...options })
}

/** Delete one CostCenter */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/cost-center/{id}'> = {}): Call<Answer<'DELETE /finance/cost-center/{id}'>> {
  return call(gantry, 'DELETE /finance/cost-center/{id}', { path: { id }, ...options })
}

/** Restore a deleted CostCenter */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/cost-center/{id}/restore'> = {}): Call<Answer<'POST /finance/cost-center/{id}/restore'>> {
  return call(gantry, 'POST /finance/cost-center/{id}/restore', { path: { id }, ...options })
}

/** History of a CostCenter */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/cost-center/{id}/history'> = {}): Call<Answer<'GET /finance/cost-center/{id}/history'>> {
  return call(gantry, 'GET /finance/cost-center/{id}/history', { path: { id }, ...options })
}

/** Check one CostCenter */
export function check(gantry: Gantry, id: string, options: Options<'GET /finance/cost-center/{id}/check'> = {}): Call<Answer<'GET /finance/cost-center/{id}/check'>> {
  return call(gantry, 'GET /finance/cost-center/{id}/check', { path: { id }, ...options })
}

/** Sum up a cost centre */
export function summary(gantry: Gantry, id: string, options: Options<'GET /finance/cost-center/{id}/summary'> = {}): Call<Answer<'GET /finance/cost-center/{id}/summary'>> {
  return call(gantry, 'GET /finance/cost-center/{id}/summary', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/cost-center/{id}'>) => Body<'PATCH /finance/cost-center/{id}'>): Promise<Answer<'PATCH /finance/cost-center/{id}'>> {
  return changeRecord(gantry, 'GET /finance/cost-center/{id}', 'PATCH /finance/cost-center/{id}', { id }, compute)
}
