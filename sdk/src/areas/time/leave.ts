// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Leaves */
export function list(gantry: Gantry, query: Query<'GET /time/leave'> = {}): Pages<Listed<'GET /time/leave'>> {
  return pagesOf(gantry, 'GET /time/leave', { query })
}

/** Request leave */
export function create(gantry: Gantry, body: Body<'POST /time/leave'>, options: Options<'POST /time/leave'> = {}): Call<Answer<'POST /time/leave'>> {
  return call(gantry, 'POST /time/leave', { body, ...options })
}

/** Balance of leave */
export function balance(gantry: Gantry, options: Options<'GET /time/leave/balance'> = {}): Call<Answer<'GET /time/leave/balance'>> {
  return call(gantry, 'GET /time/leave/balance', { ...options })
}

/** Get one Leave */
export function get(gantry: Gantry, id: string, options: Options<'GET /time/leave/{id}'> = {}): Call<Answer<'GET /time/leave/{id}'>> {
  return call(gantry, 'GET /time/leave/{id}', { path: { id }, ...options })
}

/** Update one Leave */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /time/leave/{id}'>, options: Options<'PATCH /time/leave/{id}'> = {}): Call<Answer<'PATCH /time/leave/{id}'>> {
  return call(gantry, 'PATCH /time/leave/{id}', { path: { id }, body, ...options })
}

/** Delete one Leave */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /time/leave/{id}'> = {}): Call<Answer<'DELETE /time/leave/{id}'>> {
  return call(gantry, 'DELETE /time/leave/{id}', { path: { id }, ...options })
}

/** Restore a deleted Leave */
export function restore(gantry: Gantry, id: string, options: Options<'POST /time/leave/{id}/restore'> = {}): Call<Answer<'POST /time/leave/{id}/restore'>> {
  return call(gantry, 'POST /time/leave/{id}/restore', { path: { id }, ...options })
}

/** Approve leave */
export function approve(gantry: Gantry, id: string, body: Body<'POST /time/leave/{id}/approve'>, options: Options<'POST /time/leave/{id}/approve'> = {}): Call<Answer<'POST /time/leave/{id}/approve'>> {
  return call(gantry, 'POST /time/leave/{id}/approve', { path: { id }, body, ...options })
}

/** Reject leave */
export function reject(gantry: Gantry, id: string, body: Body<'POST /time/leave/{id}/reject'>, options: Options<'POST /time/leave/{id}/reject'> = {}): Call<Answer<'POST /time/leave/{id}/reject'>> {
  return call(gantry, 'POST /time/leave/{id}/reject', { path: { id }, body, ...options })
}

/** Cancel leave */
export function cancel(gantry: Gantry, id: string, body: Body<'POST /time/leave/{id}/cancel'>, options: Options<'POST /time/leave/{id}/cancel'> = {}): Call<Answer<'POST /time/leave/{id}/cancel'>> {
  return call(gantry, 'POST /time/leave/{id}/cancel', { path: { id }, body, ...options })
}

/** History of a Leave */
export function history(gantry: Gantry, id: string, options: Options<'GET /time/leave/{id}/history'> = {}): Call<Answer<'GET /time/leave/{id}/history'>> {
  return call(gantry, 'GET /time/leave/{id}/history', { path: { id }, ...options })
}

/** Check one Leave */
export function check(gantry: Gantry, id: string, options: Options<'GET /time/leave/{id}/check'> = {}): Call<Answer<'GET /time/leave/{id}/check'>> {
  return call(gantry, 'GET /time/leave/{id}/check', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /time/leave/{id}'>) => Body<'PATCH /time/leave/{id}'>): Promise<Answer<'PATCH /time/leave/{id}'>> {
  return changeRecord(gantry, 'GET /time/leave/{id}', 'PATCH /time/leave/{id}', { id }, compute)
}
