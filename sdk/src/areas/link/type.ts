// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List LinkTypes */
export function list(gantry: Gantry, query: Query<'GET /link/type'> = {}): Pages<Listed<'GET /link/type'>> {
  return pagesOf(gantry, 'GET /link/type', { query })
}

/** Create one LinkType */
export function create(gantry: Gantry, body: Body<'POST /link/type'>, options: Options<'POST /link/type'> = {}): Call<Answer<'POST /link/type'>> {
  return call(gantry, 'POST /link/type', { body, ...options })
}

/** Get one LinkType */
export function get(gantry: Gantry, id: string, options: Options<'GET /link/type/{id}'> = {}): Call<Answer<'GET /link/type/{id}'>> {
  return call(gantry, 'GET /link/type/{id}', { path: { id }, ...options })
}

/** Update one LinkType */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /link/type/{id}'>, options: Options<'PATCH /link/type/{id}'> = {}): Call<Answer<'PATCH /link/type/{id}'>> {
  return call(gantry, 'PATCH /link/type/{id}', { path: { id }, body, ...options })
}

/** Delete one LinkType */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /link/type/{id}'> = {}): Call<Answer<'DELETE /link/type/{id}'>> {
  return call(gantry, 'DELETE /link/type/{id}', { path: { id }, ...options })
}

/** Restore a deleted LinkType */
export function restore(gantry: Gantry, id: string, options: Options<'POST /link/type/{id}/restore'> = {}): Call<Answer<'POST /link/type/{id}/restore'>> {
  return call(gantry, 'POST /link/type/{id}/restore', { path: { id }, ...options })
}

/** History of a LinkType */
export function history(gantry: Gantry, id: string, options: Options<'GET /link/type/{id}/history'> = {}): Call<Answer<'GET /link/type/{id}/history'>> {
  return call(gantry, 'GET /link/type/{id}/history', { path: { id }, ...options })
}

/** Check one LinkType */
export function check(gantry: Gantry, id: string, options: Options<'GET /link/type/{id}/check'> = {}): Call<Answer<'GET /link/type/{id}/check'>> {
  return call(gantry, 'GET /link/type/{id}/check', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /link/type/{id}'>) => Body<'PATCH /link/type/{id}'>): Promise<Answer<'PATCH /link/type/{id}'>> {
  return changeRecord(gantry, 'GET /link/type/{id}', 'PATCH /link/type/{id}', { id }, compute)
}
