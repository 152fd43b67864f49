// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List LeaveAllowances */
export function list(gantry: Gantry, query: Query<'GET /time/leave-allowance'> = {}): Pages<Listed<'GET /time/leave-allowance'>> {
  return pagesOf(gantry, 'GET /time/leave-allowance', { query })
}

/** Create one LeaveAllowance */
export function create(gantry: Gantry, body: Body<'POST /time/leave-allowance'>, options: Options<'POST /time/leave-allowance'> = {}): Call<Answer<'POST /time/leave-allowance'>> {
  return call(gantry, 'POST /time/leave-allowance', { body, ...options })
}

/** Get one LeaveAllowance */
export function get(gantry: Gantry, id: string, options: Options<'GET /time/leave-allowance/{id}'> = {}): Call<Answer<'GET /time/leave-allowance/{id}'>> {
  return call(gantry, 'GET /time/leave-allowance/{id}', { path: { id }, ...options })
}

/** Update one LeaveAllowance */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /time/leave-allowance/{id}'>, options: Options<'PATCH /time/leave-allowance/{id}'> = {}): Call<Answer<'PATCH /time/leave-allowance/{id}'>> {
  return call(gantry, 'PATCH /time/leave-allowance/{id}', { path: { id }, body, ...options })
}

/** Delete one LeaveAllowance */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /time/leave-allowance/{id}'> = {}): Call<Answer<'DELETE /time/leave-allowance/{id}'>> {
  return call(gantry, 'DELETE /time/leave-allowance/{id}', { path: { id }, ...options })
}

/** Restore a deleted LeaveAllowance */
export function restore(gantry: Gantry, id: string, options: Options<'POST /time/leave-allowance/{id}/restore'> = {}): Call<Answer<'POST /time/leave-allowance/{id}/restore'>> {
  return call(gantry, 'POST /time/leave-allowance/{id}/restore', { path: { id }, ...options })
}

/** History of a LeaveAllowance */
export function history(gantry: Gantry, id: string, options: Options<'GET /time/leave-allowance/{id}/history'> = {}): Call<Answer<'GET /time/leave-allowance/{id}/history'>> {
  return call(gantry, 'GET /time/leave-allowance/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /time/leave-allowance/{id}'>) => Body<'PATCH /time/leave-allowance/{id}'>): Promise<Answer<'PATCH /time/leave-allowance/{id}'>> {
  return changeRecord(gantry, 'GET /time/leave-allowance/{id}', 'PATCH /time/leave-allowance/{id}', { id }, compute)
}
