// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List JobRoles */
export function list(gantry: Gantry, query: Query<'GET /finance/job-role'> = {}): Pages<Listed<'GET /finance/job-role'>> {
  return pagesOf(gantry, 'GET /finance/job-role', { query })
}

/** Create one JobRole */
export function create(gantry: Gantry, body: Body<'POST /finance/job-role'>, options: Options<'POST /finance/job-role'> = {}): Call<Answer<'POST /finance/job-role'>> {
  return call(gantry, 'POST /finance/job-role', { body, ...options })
}

/** Get one JobRole */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/job-role/{id}'> = {}): Call<Answer<'GET /finance/job-role/{id}'>> {
  return call(gantry, 'GET /finance/job-role/{id}', { path: { id }, ...options })
}

/** Update one JobRole */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/job-role/{id}'>, options: Options<'PATCH /finance/job-role/{id}'> = {}): Call<Answer<'PATCH /finance/job-role/{id}'>> {
  return call(gantry, 'PATCH /finance/job-role/{id}', { path: { id }, body, ...options })
}

/** Delete one JobRole */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/job-role/{id}'> = {}): Call<Answer<'DELETE /finance/job-role/{id}'>> {
  return call(gantry, 'DELETE /finance/job-role/{id}', { path: { id }, ...options })
}

/** Restore a deleted JobRole */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/job-role/{id}/restore'> = {}): Call<Answer<'POST /finance/job-role/{id}/restore'>> {
  return call(gantry, 'POST /finance/job-role/{id}/restore', { path: { id }, ...options })
}

/** History of a JobRole */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/job-role/{id}/history'> = {}): Call<Answer<'GET /finance/job-role/{id}/history'>> {
  return call(gantry, 'GET /finance/job-role/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/job-role/{id}'>) => Body<'PATCH /finance/job-role/{id}'>): Promise<Answer<'PATCH /finance/job-role/{id}'>> {
  return changeRecord(gantry, 'GET /finance/job-role/{id}', 'PATCH /finance/job-role/{id}', { id }, compute)
}
