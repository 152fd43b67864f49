// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Clocks */
export function list(gantry: Gantry, query: Query<'GET /clock'> = {}): Pages<Listed<'GET /clock'>> {
  return pagesOf(gantry, 'GET /clock', { query })
}

/** Create one Clock */
export function create(gantry: Gantry, body: Body<'POST /clock'>, options: Options<'POST /clock'> = {}): Call<Answer<'POST /clock'>> {
  return call(gantry, 'POST /clock', { body, ...options })
}

/** Get one Clock */
export function get(gantry: Gantry, id: string, options: Options<'GET /clock/{id}'> = {}): Call<Answer<'GET /clock/{id}'>> {
  return call(gantry, 'GET /clock/{id}', { path: { id }, ...options })
}

/** Update one Clock */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /clock/{id}'>, options: Options<'PATCH /clock/{id}'> = {}): Call<Answer<'PATCH /clock/{id}'>> {
  return call(gantry, 'PATCH /clock/{id}', { path: { id }, body, ...options })
}

/** Delete one Clock */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /clock/{id}'> = {}): Call<Answer<'DELETE /clock/{id}'>> {
  return call(gantry, 'DELETE /clock/{id}', { path: { id }, ...options })
}

/** Restore a deleted Clock */
export function restore(gantry: Gantry, id: string, options: Options<'POST /clock/{id}/restore'> = {}): Call<Answer<'POST /clock/{id}/restore'>> {
  return call(gantry, 'POST /clock/{id}/restore', { path: { id }, ...options })
}

/** History of a Clock */
export function history(gantry: Gantry, id: string, options: Options<'GET /clock/{id}/history'> = {}): Call<Answer<'GET /clock/{id}/history'>> {
  return call(gantry, 'GET /clock/{id}/history', { path: { id }, ...options })
}

/** Check one Clock */
export function check(gantry: Gantry, id: string, options: Options<'GET /clock/{id}/check'> = {}): Call<Answer<'GET /clock/{id}/check'>> {
  return call(gantry, 'GET /clock/{id}/check', { path: { id }, ...options })
}

/** Count working time on a clock */
export function calc(gantry: Gantry, id: string, body: Body<'POST /clock/{id}/calc'>, options: Options<'POST /clock/{id}/calc'> = {}): Call<Answer<'POST /clock/{id}/calc'>> {
  return call(gantry, 'POST /clock/{id}/calc', { path: { id }, body, ...options })
}

/** Who is responsible on a clock */
export function responsible(gantry: Gantry, id: string, options: Options<'GET /clock/{id}/responsible'> = {}): Call<Answer<'GET /clock/{id}/responsible'>> {
  return call(gantry, 'GET /clock/{id}/responsible', { path: { id }, ...options })
}

/** Preview a change of a clock */
export function preview(gantry: Gantry, id: string, body: Body<'POST /clock/{id}/preview'>, options: Options<'POST /clock/{id}/preview'> = {}): Call<Answer<'POST /clock/{id}/preview'>> {
  return call(gantry, 'POST /clock/{id}/preview', { path: { id }, body, ...options })
}

/** Progress of a recalculation */
export function recalculation(gantry: Gantry, id: string, options: Options<'GET /clock/{id}/recalculation'> = {}): Call<Answer<'GET /clock/{id}/recalculation'>> {
  return call(gantry, 'GET /clock/{id}/recalculation', { path: { id }, ...options })
}

/** Refresh the holidays of a clock */
export function refresh(gantry: Gantry, id: string, options: Options<'POST /clock/{id}/refresh'> = {}): Call<Answer<'POST /clock/{id}/refresh'>> {
  return call(gantry, 'POST /clock/{id}/refresh', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /clock/{id}'>) => Body<'PATCH /clock/{id}'>): Promise<Answer<'PATCH /clock/{id}'>> {
  return changeRecord(gantry, 'GET /clock/{id}', 'PATCH /clock/{id}', { id }, compute)
}
