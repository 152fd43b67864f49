// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Multipliers */
export function list(gantry: Gantry, query: Query<'GET /finance/multiplier'> = {}): Pages<Listed<'GET /finance/multiplier'>> {
  return pagesOf(gantry, 'GET /finance/multiplier', { query })
}

/** Create one Multiplier */
export function create(gantry: Gantry, body: Body<'POST /finance/multiplier'>, options: Options<'POST /finance/multiplier'> = {}): Call<Answer<'POST /finance/multiplier'>> {
  return call(gantry, 'POST /finance/multiplier', { body, ...options })
}

/** Get one Multiplier */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/multiplier/{id}'> = {}): Call<Answer<'GET /finance/multiplier/{id}'>> {
  return call(gantry, 'GET /finance/multiplier/{id}', { path: { id }, ...options })
}

/** Update one Multiplier */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/multiplier/{id}'>, options: Options<'PATCH /finance/multiplier/{id}'> = {}): Call<Answer<'PATCH /finance/multiplier/{id}'>> {
  return call(gantry, 'PATCH /finance/multiplier/{id}', { path: { id }, body, ...options })
}

/** Delete one Multiplier */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/multiplier/{id}'> = {}): Call<Answer<'DELETE /finance/multiplier/{id}'>> {
  return call(gantry, 'DELETE /finance/multiplier/{id}', { path: { id }, ...options })
}

/** Restore a deleted Multiplier */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/multiplier/{id}/restore'> = {}): Call<Answer<'POST /finance/multiplier/{id}/restore'>> {
  return call(gantry, 'POST /finance/multiplier/{id}/restore', { path: { id }, ...options })
}

/** History of a Multiplier */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/multiplier/{id}/history'> = {}): Call<Answer<'GET /finance/multiplier/{id}/history'>> {
  return call(gantry, 'GET /finance/multiplier/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/multiplier/{id}'>) => Body<'PATCH /finance/multiplier/{id}'>): Promise<Answer<'PATCH /finance/multiplier/{id}'>> {
  return changeRecord(gantry, 'GET /finance/multiplier/{id}', 'PATCH /finance/multiplier/{id}', { id }, compute)
}
