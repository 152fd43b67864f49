// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List AppSettings */
export function list(gantry: Gantry, query: Query<'GET /admin/setting'> = {}): Pages<Listed<'GET /admin/setting'>> {
  return pagesOf(gantry, 'GET /admin/setting', { query })
}

/** Create one AppSetting */
export function create(gantry: Gantry, body: Body<'POST /admin/setting'>, options: Options<'POST /admin/setting'> = {}): Call<Answer<'POST /admin/setting'>> {
  return call(gantry, 'POST /admin/setting', { body, ...options })
}

/** Get effective settings */
export function effective(gantry: Gantry, options: Options<'GET /admin/setting/effective'> = {}): Call<Answer<'GET /admin/setting/effective'>> {
  return call(gantry, 'GET /admin/setting/effective', { ...options })
}

/** List registered settings */
export function registry(gantry: Gantry, options: Options<'GET /admin/setting/registry'> = {}): Call<Answer<'GET /admin/setting/registry'>> {
  return call(gantry, 'GET /admin/setting/registry', { ...options })
}

/** Get one AppSetting */
export function get(gantry: Gantry, id: string, options: Options<'GET /admin/setting/{id}'> = {}): Call<Answer<'GET /admin/setting/{id}'>> {
  return call(gantry, 'GET /admin/setting/{id}', { path: { id }, ...options })
}

/** Update one AppSetting */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /admin/setting/{id}'>, options: Options<'PATCH /admin/setting/{id}'> = {}): Call<Answer<'PATCH /admin/setting/{id}'>> {
  return call(gantry, 'PATCH /admin/setting/{id}', { path: { id }, body, ...options })
}

/** Delete one AppSetting */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /admin/setting/{id}'> = {}): Call<Answer<'DELETE /admin/setting/{id}'>> {
  return call(gantry, 'DELETE /admin/setting/{id}', { path: { id }, ...options })
}

/** Restore a deleted AppSetting */
export function restore(gantry: Gantry, id: string, options: Options<'POST /admin/setting/{id}/restore'> = {}): Call<Answer<'POST /admin/setting/{id}/restore'>> {
  return call(gantry, 'POST /admin/setting/{id}/restore', { path: { id }, ...options })
}

/** History of a AppSetting */
export function history(gantry: Gantry, id: string, options: Options<'GET /admin/setting/{id}/history'> = {}): Call<Answer<'GET /admin/setting/{id}/history'>> {
  return call(gantry, 'GET /admin/setting/{id}/history', { path: { id }, ...options })
}

/** Check one AppSetting */
export function check(gantry: Gantry, id: string, options: Options<'GET /admin/setting/{id}/check'> = {}): Call<Answer<'GET /admin/setting/{id}/check'>> {
  return call(gantry, 'GET /admin/setting/{id}/check', { path: { id }, ...options })
}

/** Revert a setting to an earlier version */
export function revert(gantry: Gantry, id: string, body: Body<'POST /admin/setting/{id}/revert'>, options: Options<'POST /admin/setting/{id}/revert'> = {}): Call<Answer<'POST /admin/setting/{id}/revert'>> {
  return call(gantry, 'POST /admin/setting/{id}/revert', { path: { id }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /admin/setting/{id}'>) => Body<'PATCH /admin/setting/{id}'>): Promise<Answer<'PATCH /admin/setting/{id}'>> {
  return changeRecord(gantry, 'GET /admin/setting/{id}', 'PATCH /admin/setting/{id}', { id }, compute)
}
