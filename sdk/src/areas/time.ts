// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Times */
export function list(gantry: Gantry, query: Query<'GET /time'> = {}): Pages<Listed<'GET /time'>> {
  return pagesOf(gantry, 'GET /time', { query })
}

/** Create one Time */
export function create(gantry: Gantry, body: Body<'POST /time'>, options: Options<'POST /time'> = {}): Call<Answer<'POST /time'>> {
  return call(gantry, 'POST /time', { body, ...options })
}

/** Get one Time */
export function get(gantry: Gantry, id: string, options: Options<'GET /time/{id}'> = {}): Call<Answer<'GET /time/{id}'>> {
  return call(gantry, 'GET /time/{id}', { path: { id }, ...options })
}

/** Update one Time */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /time/{id}'>, options: Options<'PATCH /time/{id}'> = {}): Call<Answer<'PATCH /time/{id}'>> {
  return call(gantry, 'PATCH /time/{id}', { path: { id }, body, ...options })
}

/** Delete one Time */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /time/{id}'> = {}): Call<Answer<'DELETE /time/{id}'>> {
  return call(gantry, 'DELETE /time/{id}', { path: { id }, ...options })
}

/** Restore a deleted Time */
export function restore(gantry: Gantry, id: string, options: Options<'POST /time/{id}/restore'> = {}): Call<Answer<'POST /time/{id}/restore'>> {
  return call(gantry, 'POST /time/{id}/restore', { path: { id }, ...options })
}

/** History of a Time */
export function history(gantry: Gantry, id: string, options: Options<'GET /time/{id}/history'> = {}): Call<Answer<'GET /time/{id}/history'>> {
  return call(gantry, 'GET /time/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /time/{id}'>) => Body<'PATCH /time/{id}'>): Promise<Answer<'PATCH /time/{id}'>> {
  return changeRecord(gantry, 'GET /time/{id}', 'PATCH /time/{id}', { id }, compute)
}
