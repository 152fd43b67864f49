// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List UserGroups */
export function list(gantry: Gantry, query: Query<'GET /user-group'> = {}): Pages<Listed<'GET /user-group'>> {
  return pagesOf(gantry, 'GET /user-group', { query })
}

/** Create one UserGroup */
export function create(gantry: Gantry, body: Body<'POST /user-group'>, options: Options<'POST /user-group'> = {}): Call<Answer<'POST /user-group'>> {
  return call(gantry, 'POST /user-group', { body, ...options })
}

/** List pseudo-groups */
export function pseudo(gantry: Gantry, options: Options<'GET /user-group/pseudo'> = {}): Call<Answer<'GET /user-group/pseudo'>> {
  return call(gantry, 'GET /user-group/pseudo', { ...options })
}

/** Get one UserGroup */
export function get(gantry: Gantry, id: string, options: Options<'GET /user-group/{id}'> = {}): Call<Answer<'GET /user-group/{id}'>> {
  return call(gantry, 'GET /user-group/{id}', { path: { id }, ...options })
}

/** Update one UserGroup */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /user-group/{id}'>, options: Options<'PATCH /user-group/{id}'> = {}): Call<Answer<'PATCH /user-group/{id}'>> {
  return call(gantry, 'PATCH /user-group/{id}', { path: { id }, body, ...options })
}

/** Delete one UserGroup */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /user-group/{id}'> = {}): Call<Answer<'DELETE /user-group/{id}'>> {
  return call(gantry, 'DELETE /user-group/{id}', { path: { id }, ...options })
}

/** Restore a deleted UserGroup */
export function restore(gantry: Gantry, id: string, options: Options<'POST /user-group/{id}/restore'> = {}): Call<Answer<'POST /user-group/{id}/restore'>> {
  return call(gantry, 'POST /user-group/{id}/restore', { path: { id }, ...options })
}

/** History of a UserGroup */
export function history(gantry: Gantry, id: string, options: Options<'GET /user-group/{id}/history'> = {}): Call<Answer<'GET /user-group/{id}/history'>> {
  return call(gantry, 'GET /user-group/{id}/history', { path: { id }, ...options })
}

/** List the members of a group */
export function members(gantry: Gantry, id: string, query: Query<'GET /user-group/{id}/members'> = {}): Pages<Listed<'GET /user-group/{id}/members'>> {
  return pagesOf(gantry, 'GET /user-group/{id}/members', { path: { id }, query })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /user-group/{id}'>) => Body<'PATCH /user-group/{id}'>): Promise<Answer<'PATCH /user-group/{id}'>> {
  return changeRecord(gantry, 'GET /user-group/{id}', 'PATCH /user-group/{id}', { id }, compute)
}
