// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List AccessRoles */
export function list(gantry: Gantry, query: Query<'GET /access-control/role'> = {}): Pages<Listed<'GET /access-control/role'>> {
  return pagesOf(gantry, 'GET /access-control/role', { query })
}

/** Create one AccessRole */
export function create(gantry: Gantry, body: Body<'POST /access-control/role'>, options: Options<'POST /access-control/role'> = {}): Call<Answer<'POST /access-control/role'>> {
  return call(gantry, 'POST /access-control/role', { body, ...options })
}

/** Get one AccessRole */
export function get(gantry: Gantry, id: string, options: Options<'GET /access-control/role/{id}'> = {}): Call<Answer<'GET /access-control/role/{id}'>> {
  return call(gantry, 'GET /access-control/role/{id}', { path: { id }, ...options })
}

/** Update one AccessRole */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /access-control/role/{id}'>, options: Options<'PATCH /access-control/role/{id}'> = {}): Call<Answer<'PATCH /access-control/role/{id}'>> {
  return call(gantry, 'PATCH /access-control/role/{id}', { path: { id }, body, ...options })
}

/** Delete one AccessRole */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /access-control/role/{id}'> = {}): Call<Answer<'DELETE /access-control/role/{id}'>> {
  return call(gantry, 'DELETE /access-control/role/{id}', { path: { id }, ...options })
}

/** Restore a deleted AccessRole */
export function restore(gantry: Gantry, id: string, options: Options<'POST /access-control/role/{id}/restore'> = {}): Call<Answer<'POST /access-control/role/{id}/restore'>> {
  return call(gantry, 'POST /access-control/role/{id}/restore', { path: { id }, ...options })
}

/** History of a AccessRole */
export function history(gantry: Gantry, id: string, options: Options<'GET /access-control/role/{id}/history'> = {}): Call<Answer<'GET /access-control/role/{id}/history'>> {
  return call(gantry, 'GET /access-control/role/{id}/history', { path: { id }, ...options })
}

/** Check one AccessRole */
export function check(gantry: Gantry, id: string, options: Options<'GET /access-control/role/{id}/check'> = {}): Call<Answer<'GET /access-control/role/{id}/check'>> {
  return call(gantry, 'GET /access-control/role/{id}/check', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /access-control/role/{id}'>) => Body<'PATCH /access-control/role/{id}'>): Promise<Answer<'PATCH /access-control/role/{id}'>> {
  return changeRecord(gantry, 'GET /access-control/role/{id}', 'PATCH /access-control/role/{id}', { id }, compute)
}
