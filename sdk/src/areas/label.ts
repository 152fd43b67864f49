// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Labels */
export function list(gantry: Gantry, query: Query<'GET /label'> = {}): Pages<Listed<'GET /label'>> {
  return pagesOf(gantry, 'GET /label', { query })
}

/** Create one Label */
export function create(gantry: Gantry, body: Body<'POST /label'>, options: Options<'POST /label'> = {}): Call<Answer<'POST /label'>> {
  return call(gantry, 'POST /label', { body, ...options })
}

/** Change many labels */
export function updateMany(gantry: Gantry, body: Body<'PATCH /label'>, options: Options<'PATCH /label'> = {}): Call<Answer<'PATCH /label'>> {
  return call(gantry, 'PATCH /label', { body, ...options })
}

/** Delete many labels */
export function removeMany(gantry: Gantry, options: Options<'DELETE /label'> = {}): Call<Answer<'DELETE /label'>> {
  return call(gantry, 'DELETE /label', { ...options })
}

/** Get one Label */
export function get(gantry: Gantry, id: string, options: Options<'GET /label/{id}'> = {}): Call<Answer<'GET /label/{id}'>> {
  return call(gantry, 'GET /label/{id}', { path: { id }, ...options })
}

/** Update one Label */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /label/{id}'>, options: Options<'PATCH /label/{id}'> = {}): Call<Answer<'PATCH /label/{id}'>> {
  return call(gantry, 'PATCH /label/{id}', { path: { id }, body, ...options })
}

/** Delete one Label */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /label/{id}'> = {}): Call<Answer<'DELETE /label/{id}'>> {
  return call(gantry, 'DELETE /label/{id}', { path: { id }, ...options })
}

/** Restore a deleted Label */
export function restore(gantry: Gantry, id: string, options: Options<'POST /label/{id}/restore'> = {}): Call<Answer<'POST /label/{id}/restore'>> {
  return call(gantry, 'POST /label/{id}/restore', { path: { id }, ...options })
}

/** History of a Label */
export function history(gantry: Gantry, id: string, options: Options<'GET /label/{id}/history'> = {}): Call<Answer<'GET /label/{id}/history'>> {
  return call(gantry, 'GET /label/{id}/history', { path: { id }, ...options })
}

/** Check one Label */
export function check(gantry: Gantry, id: string, options: Options<'GET /label/{id}/check'> = {}): Call<Answer<'GET /label/{id}/check'>> {
  return call(gantry, 'GET /label/{id}/check', { path: { id }, ...options })
}

/** Merge a label into another */
export function merge(gantry: Gantry, id: string, body: Body<'POST /label/{id}/merge'>, options: Options<'POST /label/{id}/merge'> = {}): Call<Answer<'POST /label/{id}/merge'>> {
  return call(gantry, 'POST /label/{id}/merge', { path: { id }, body, ...options })
}

/** Create or update many labels */
export function bulk(gantry: Gantry, body: Body<'POST /label/bulk'>, options: Options<'POST /label/bulk'> = {}): Call<Answer<'POST /label/bulk'>> {
  return call(gantry, 'POST /label/bulk', { body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /label/{id}'>) => Body<'PATCH /label/{id}'>): Promise<Answer<'PATCH /label/{id}'>> {
  return changeRecord(gantry, 'GET /label/{id}', 'PATCH /label/{id}', { id }, compute)
}
