// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List TimeDelegations */
export function list(gantry: Gantry, query: Query<'GET /time/delegation'> = {}): Pages<Listed<'GET /time/delegation'>> {
  return pagesOf(gantry, 'GET /time/delegation', { query })
}

/** Create one TimeDelegation */
export function create(gantry: Gantry, body: Body<'POST /time/delegation'>, options: Options<'POST /time/delegation'> = {}): Call<Answer<'POST /time/delegation'>> {
  return call(gantry, 'POST /time/delegation', { body, ...options })
}

/** Get one TimeDelegation */
export function get(gantry: Gantry, id: string, options: Options<'GET /time/delegation/{id}'> = {}): Call<Answer<'GET /time/delegation/{id}'>> {
  return call(gantry, 'GET /time/delegation/{id}', { path: { id }, ...options })
}

/** Update one TimeDelegation */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /time/delegation/{id}'>, options: Options<'PATCH /time/delegation/{id}'> = {}): Call<Answer<'PATCH /time/delegation/{id}'>> {
  return call(gantry, 'PATCH /time/delegation/{id}', { path: { id }, body, ...options })
}

/** Delete one TimeDelegation */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /time/delegation/{id}'> = {}): Call<Answer<'DELETE /time/delegation/{id}'>> {
  return call(gantry, 'DELETE /time/delegation/{id}', { path: { id }, ...options })
}

/** Restore a deleted TimeDelegation */
export function restore(gantry: Gantry, id: string, options: Options<'POST /time/delegation/{id}/restore'> = {}): Call<Answer<'POST /time/delegation/{id}/restore'>> {
  return call(gantry, 'POST /time/delegation/{id}/restore', { path: { id }, ...options })
}

/** History of a TimeDelegation */
export function history(gantry: Gantry, id: string, options: Options<'GET /time/delegation/{id}/history'> = {}): Call<Answer<'GET /time/delegation/{id}/history'>> {
  return call(gantry, 'GET /time/delegation/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /time/delegation/{id}'>) => Body<'PATCH /time/delegation/{id}'>): Promise<Answer<'PATCH /time/delegation/{id}'>> {
  return changeRecord(gantry, 'GET /time/delegation/{id}', 'PATCH /time/delegation/{id}', { id }, compute)
}
