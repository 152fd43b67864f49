// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Links */
export function list(gantry: Gantry, query: Query<'GET /link'> = {}): Pages<Listed<'GET /link'>> {
  return pagesOf(gantry, 'GET /link', { query })
}

/** Link two items */
export function create(gantry: Gantry, body: Body<'POST /link'>, options: Options<'POST /link'> = {}): Call<Answer<'POST /link'>> {
  return call(gantry, 'POST /link', { body, ...options })
}

/** Change many links */
export function updateMany(gantry: Gantry, body: Body<'PATCH /link'>, options: Options<'PATCH /link'> = {}): Call<Answer<'PATCH /link'>> {
  return call(gantry, 'PATCH /link', { body, ...options })
}

/** Delete many links */
export function removeMany(gantry: Gantry, options: Options<'DELETE /link'> = {}): Call<Answer<'DELETE /link'>> {
  return call(gantry, 'DELETE /link', { ...options })
}

/** Get one Link */
export function get(gantry: Gantry, id: string, options: Options<'GET /link/{id}'> = {}): Call<Answer<'GET /link/{id}'>> {
  return call(gantry, 'GET /link/{id}', { path: { id }, ...options })
}

/** Update one Link */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /link/{id}'>, options: Options<'PATCH /link/{id}'> = {}): Call<Answer<'PATCH /link/{id}'>> {
  return call(gantry, 'PATCH /link/{id}', { path: { id }, body, ...options })
}

/** Delete one Link */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /link/{id}'> = {}): Call<Answer<'DELETE /link/{id}'>> {
  return call(gantry, 'DELETE /link/{id}', { path: { id }, ...options })
}

/** Restore a deleted Link */
export function restore(gantry: Gantry, id: string, options: Options<'POST /link/{id}/restore'> = {}): Call<Answer<'POST /link/{id}/restore'>> {
  return call(gantry, 'POST /link/{id}/restore', { path: { id }, ...options })
}

/** History of a Link */
export function history(gantry: Gantry, id: string, options: Options<'GET /link/{id}/history'> = {}): Call<Answer<'GET /link/{id}/history'>> {
  return call(gantry, 'GET /link/{id}/history', { path: { id }, ...options })
}

/** Create or update many links */
export function bulk(gantry: Gantry, body: Body<'POST /link/bulk'>, options: Options<'POST /link/bulk'> = {}): Call<Answer<'POST /link/bulk'>> {
  return call(gantry, 'POST /link/bulk', { body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /link/{id}'>) => Body<'PATCH /link/{id}'>): Promise<Answer<'PATCH /link/{id}'>> {
  return changeRecord(gantry, 'GET /link/{id}', 'PATCH /link/{id}', { id }, compute)
}
