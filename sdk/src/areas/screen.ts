// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Screens */
export function list(gantry: Gantry, query: Query<'GET /screen'> = {}): Pages<Listed<'GET /screen'>> {
  return pagesOf(gantry, 'GET /screen', { query })
}

/** Create one Screen */
export function create(gantry: Gantry, body: Body<'POST /screen'>, options: Options<'POST /screen'> = {}): Call<Answer<'POST /screen'>> {
  return call(gantry, 'POST /screen', { body, ...options })
}

/** Resolve the screen for an occasion */
export function resolve(gantry: Gantry, options: Options<'GET /screen/resolve'> = {}): Call<Answer<'GET /screen/resolve'>> {
  return call(gantry, 'GET /screen/resolve', { ...options })
}

/** Get one Screen */
export function get(gantry: Gantry, id: string, options: Options<'GET /screen/{id}'> = {}): Call<Answer<'GET /screen/{id}'>> {
  return call(gantry, 'GET /screen/{id}', { path: { id }, ...options })
}

/** Update one Screen */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /screen/{id}'>, options: Options<'PATCH /screen/{id}'> = {}): Call<Answer<'PATCH /screen/{id}'>> {
  return call(gantry, 'PATCH /screen/{id}', { path: { id }, body, ...options })
}

/** Delete one Screen */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /screen/{id}'> = {}): Call<Answer<'DELETE /screen/{id}'>> {
  return call(gantry, 'DELETE /screen/{id}', { path: { id }, ...options })
}

/** Restore a deleted Screen */
export function restore(gantry: Gantry, id: string, options: Options<'POST /screen/{id}/restore'> = {}): Call<Answer<'POST /screen/{id}/restore'>> {
  return call(gantry, 'POST /screen/{id}/restore', { path: { id }, ...options })
}

/** History of a Screen */
export function history(gantry: Gantry, id: string, options: Options<'GET /screen/{id}/history'> = {}): Call<Answer<'GET /screen/{id}/history'>> {
  return call(gantry, 'GET /screen/{id}/history', { path: { id }, ...options })
}

/** Check one Screen */
export function check(gantry: Gantry, id: string, options: Options<'GET /screen/{id}/check'> = {}): Call<Answer<'GET /screen/{id}/check'>> {
  return call(gantry, 'GET /screen/{id}/check', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /screen/{id}'>) => Body<'PATCH /screen/{id}'>): Promise<Answer<'PATCH /screen/{id}'>> {
  return changeRecord(gantry, 'GET /screen/{id}', 'PATCH /screen/{id}', { id }, compute)
}
