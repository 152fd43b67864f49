// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List EntraMetas */
export function list(gantry: Gantry, query: Query<'GET /entra-meta'> = {}): Pages<Listed<'GET /entra-meta'>> {
  return pagesOf(gantry, 'GET /entra-meta', { query })
}

/** Create one EntraMeta */
export function create(gantry: Gantry, body: Body<'POST /entra-meta'>, options: Options<'POST /entra-meta'> = {}): Call<Answer<'POST /entra-meta'>> {
  return call(gantry, 'POST /entra-meta', { body, ...options })
}

/** Get one EntraMeta */
export function get(gantry: Gantry, id: string, options: Options<'GET /entra-meta/{id}'> = {}): Call<Answer<'GET /entra-meta/{id}'>> {
  return call(gantry, 'GET /entra-meta/{id}', { path: { id }, ...options })
}

/** Update one EntraMeta */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /entra-meta/{id}'>, options: Options<'PATCH /entra-meta/{id}'> = {}): Call<Answer<'PATCH /entra-meta/{id}'>> {
  return call(gantry, 'PATCH /entra-meta/{id}', { path: { id }, body, ...options })
}

/** Delete one EntraMeta */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /entra-meta/{id}'> = {}): Call<Answer<'DELETE /entra-meta/{id}'>> {
  return call(gantry, 'DELETE /entra-meta/{id}', { path: { id }, ...options })
}

/** Restore a deleted EntraMeta */
export function restore(gantry: Gantry, id: string, options: Options<'POST /entra-meta/{id}/restore'> = {}): Call<Answer<'POST /entra-meta/{id}/restore'>> {
  return call(gantry, 'POST /entra-meta/{id}/restore', { path: { id }, ...options })
}

/** History of a EntraMeta */
export function history(gantry: Gantry, id: string, options: Options<'GET /entra-meta/{id}/history'> = {}): Call<Answer<'GET /entra-meta/{id}/history'>> {
  return call(gantry, 'GET /entra-meta/{id}/history', { path: { id }, ...options })
}

/** Check one EntraMeta */
export function check(gantry: Gantry, id: string, options: Options<'GET /entra-meta/{id}/check'> = {}): Call<Answer<'GET /entra-meta/{id}/check'>> {
  return call(gantry, 'GET /entra-meta/{id}/check', { path: { id }, ...options })
}

/** Test a provider */
export function test(gantry: Gantry, id: string, options: Options<'POST /entra-meta/{id}/test'> = {}): Call<Answer<'POST /entra-meta/{id}/test'>> {
  return call(gantry, 'POST /entra-meta/{id}/test', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /entra-meta/{id}'>) => Body<'PATCH /entra-meta/{id}'>): Promise<Answer<'PATCH /entra-meta/{id}'>> {
  return changeRecord(gantry, 'GET /entra-meta/{id}', 'PATCH /entra-meta/{id}', { id }, compute)
}
