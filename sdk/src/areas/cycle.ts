// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Cycles */
export function list(gantry: Gantry, query: Query<'GET /cycle'> = {}): Pages<Listed<'GET /cycle'>> {
  return pagesOf(gantry, 'GET /cycle', { query })
}

/** Create one Cycle */
export function create(gantry: Gantry, body: Body<'POST /cycle'>, options: Options<'POST /cycle'> = {}): Call<Answer<'POST /cycle'>> {
  return call(gantry, 'POST /cycle', { body, ...options })
}

/** Get one Cycle */
export function get(gantry: Gantry, id: string, options: Options<'GET /cycle/{id}'> = {}): Call<Answer<'GET /cycle/{id}'>> {
  return call(gantry, 'GET /cycle/{id}', { path: { id }, ...options })
}

/** Update one Cycle */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /cycle/{id}'>, options: Options<'PATCH /cycle/{id}'> = {}): Call<Answer<'PATCH /cycle/{id}'>> {
  return call(gantry, 'PATCH /cycle/{id}', { path: { id }, body, ...options })
}

/** Delete one Cycle */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /cycle/{id}'> = {}): Call<Answer<'DELETE /cycle/{id}'>> {
  return call(gantry, 'DELETE /cycle/{id}', { path: { id }, ...options })
}

/** Restore a deleted Cycle */
export function restore(gantry: Gantry, id: string, options: Options<'POST /cycle/{id}/restore'> = {}): Call<Answer<'POST /cycle/{id}/restore'>> {
  return call(gantry, 'POST /cycle/{id}/restore', { path: { id }, ...options })
}

/** History of a Cycle */
export function history(gantry: Gantry, id: string, options: Options<'GET /cycle/{id}/history'> = {}): Call<Answer<'GET /cycle/{id}/history'>> {
  return call(gantry, 'GET /cycle/{id}/history', { path: { id }, ...options })
}

/** Check one Cycle */
export function check(gantry: Gantry, id: string, options: Options<'GET /cycle/{id}/check'> = {}): Call<Answer<'GET /cycle/{id}/check'>> {
  return call(gantry, 'GET /cycle/{id}/check', { path: { id }, ...options })
}

/** Velocity */
export function velocity(gantry: Gantry, options: Options<'GET /cycle/velocity'> = {}): Call<Answer<'GET /cycle/velocity'>> {
  return call(gantry, 'GET /cycle/velocity', { ...options })
}

/** Start a cycle */
export function start(gantry: Gantry, id: string, options: Options<'POST /cycle/{id}/start'> = {}): Call<Answer<'POST /cycle/{id}/start'>> {
  return call(gantry, 'POST /cycle/{id}/start', { path: { id }, ...options })
}

/** Finish a cycle */
export function finish(gantry: Gantry, id: string, body: Body<'POST /cycle/{id}/finish'>, options: Options<'POST /cycle/{id}/finish'> = {}): Call<Answer<'POST /cycle/{id}/finish'>> {
  return call(gantry, 'POST /cycle/{id}/finish', { path: { id }, body, ...options })
}

/** Reopen a finished cycle */
export function reopen(gantry: Gantry, id: string, options: Options<'POST /cycle/{id}/reopen'> = {}): Call<Answer<'POST /cycle/{id}/reopen'>> {
  return call(gantry, 'POST /cycle/{id}/reopen', { path: { id }, ...options })
}

/** Plan the items of a cycle */
export function items(gantry: Gantry, id: string, body: Body<'POST /cycle/{id}/items'>, options: Options<'POST /cycle/{id}/items'> = {}): Call<Answer<'POST /cycle/{id}/items'>> {
  return call(gantry, 'POST /cycle/{id}/items', { path: { id }, body, ...options })
}

/** Burndown of a cycle */
export function burndown(gantry: Gantry, id: string, options: Options<'GET /cycle/{id}/burndown'> = {}): Call<Answer<'GET /cycle/{id}/burndown'>> {
  return call(gantry, 'GET /cycle/{id}/burndown', { path: { id }, ...options })
}

/** Capacity of a cycle */
export function capacity(gantry: Gantry, id: string, options: Options<'GET /cycle/{id}/capacity'> = {}): Call<Answer<'GET /cycle/{id}/capacity'>> {
  return call(gantry, 'GET /cycle/{id}/capacity', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /cycle/{id}'>) => Body<'PATCH /cycle/{id}'>): Promise<Answer<'PATCH /cycle/{id}'>> {
  return changeRecord(gantry, 'GET /cycle/{id}', 'PATCH /cycle/{id}', { id }, compute)
}
