// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Constraints */
export function list(gantry: Gantry, query: Query<'GET /constraint'> = {}): Pages<Listed<'GET /constraint'>> {
  return pagesOf(gantry, 'GET /constraint', { query })
}

/** Create one Constraint */
export function create(gantry: Gantry, body: Body<'POST /constraint'>, options: Options<'POST /constraint'> = {}): Call<Answer<'POST /constraint'>> {
  return call(gantry, 'POST /constraint', { body, ...options })
}

/** Get one Constraint */
export function get(gantry: Gantry, id: string, options: Options<'GET /constraint/{id}'> = {}): Call<Answer<'GET /constraint/{id}'>> {
  return call(gantry, 'GET /constraint/{id}', { path: { id }, ...options })
}

/** Update one Constraint */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /constraint/{id}'>, options: Options<'PATCH /constraint/{id}'> = {}): Call<Answer<'PATCH /constraint/{id}'>> {
  return call(gantry, 'PATCH /constraint/{id}', { path: { id }, body, ...options })
}

/** Delete one Constraint */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /constraint/{id}'> = {}): Call<Answer<'DELETE /constraint/{id}'>> {
  return call(gantry, 'DELETE /constraint/{id}', { path: { id }, ...options })
}

/** Restore a deleted Constraint */
export function restore(gantry: Gantry, id: string, options: Options<'POST /constraint/{id}/restore'> = {}): Call<Answer<'POST /constraint/{id}/restore'>> {
  return call(gantry, 'POST /constraint/{id}/restore', { path: { id }, ...options })
}

/** History of a Constraint */
export function history(gantry: Gantry, id: string, options: Options<'GET /constraint/{id}/history'> = {}): Call<Answer<'GET /constraint/{id}/history'>> {
  return call(gantry, 'GET /constraint/{id}/history', { path: { id }, ...options })
}

/** Check one Constraint */
export function check(gantry: Gantry, id: string, options: Options<'GET /constraint/{id}/check'> = {}): Call<Answer<'GET /constraint/{id}/check'>> {
  return call(gantry, 'GET /constraint/{id}/check', { path: { id }, ...options })
}

/** Evaluate a constraint before it is created */
export function dryRun(gantry: Gantry, body: Body<'POST /constraint/dry-run'>, options: Options<'POST /constraint/dry-run'> = {}): Call<Answer<'POST /constraint/dry-run'>> {
  return call(gantry, 'POST /constraint/dry-run', { body, ...options })
}

/** Evaluate a stored constraint */
export function tryOut(gantry: Gantry, id: string, body: Body<'POST /constraint/{id}/try'>, options: Options<'POST /constraint/{id}/try'> = {}): Call<Answer<'POST /constraint/{id}/try'>> {
  return call(gantry, 'POST /constraint/{id}/try', { path: { id }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /constraint/{id}'>) => Body<'PATCH /constraint/{id}'>): Promise<Answer<'PATCH /constraint/{id}'>> {
  return changeRecord(gantry, 'GET /constraint/{id}', 'PATCH /constraint/{id}', { id }, compute)
}
