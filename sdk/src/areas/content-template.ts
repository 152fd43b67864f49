// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List ContentTemplates */
export function list(gantry: Gantry, query: Query<'GET /content-template'> = {}): Pages<Listed<'GET /content-template'>> {
  return pagesOf(gantry, 'GET /content-template', { query })
}

/** Create one ContentTemplate */
export function create(gantry: Gantry, body: Body<'POST /content-template'>, options: Options<'POST /content-template'> = {}): Call<Answer<'POST /content-template'>> {
  return call(gantry, 'POST /content-template', { body, ...options })
}

/** Get one ContentTemplate */
export function get(gantry: Gantry, id: string, options: Options<'GET /content-template/{id}'> = {}): Call<Answer<'GET /content-template/{id}'>> {
  return call(gantry, 'GET /content-template/{id}', { path: { id }, ...options })
}

/** Update one ContentTemplate */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /content-template/{id}'>, options: Options<'PATCH /content-template/{id}'> = {}): Call<Answer<'PATCH /content-template/{id}'>> {
  return call(gantry, 'PATCH /content-template/{id}', { path: { id }, body, ...options })
}

/** Delete one ContentTemplate */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /content-template/{id}'> = {}): Call<Answer<'DELETE /content-template/{id}'>> {
  return call(gantry, 'DELETE /content-template/{id}', { path: { id }, ...options })
}

/** Restore a deleted ContentTemplate */
export function restore(gantry: Gantry, id: string, options: Options<'POST /content-template/{id}/restore'> = {}): Call<Answer<'POST /content-template/{id}/restore'>> {
  return call(gantry, 'POST /content-template/{id}/restore', { path: { id }, ...options })
}

/** History of a ContentTemplate */
export function history(gantry: Gantry, id: string, options: Options<'GET /content-template/{id}/history'> = {}): Call<Answer<'GET /content-template/{id}/history'>> {
  return call(gantry, 'GET /content-template/{id}/history', { path: { id }, ...options })
}

/** Check one ContentTemplate */
export function check(gantry: Gantry, id: string, options: Options<'GET /content-template/{id}/check'> = {}): Call<Answer<'GET /content-template/{id}/check'>> {
  return call(gantry, 'GET /content-template/{id}/check', { path: { id }, ...options })
}

/** Preview a template */
export function preview(gantry: Gantry, body: Body<'POST /content-template/preview'>, options: Options<'POST /content-template/preview'> = {}): Call<Answer<'POST /content-template/preview'>> {
  return call(gantry, 'POST /content-template/preview', { body, ...options })
}

/** Render a template */
export function render(gantry: Gantry, id: string, body: Body<'POST /content-template/{id}/render'>, options: Options<'POST /content-template/{id}/render'> = {}): Call<Answer<'POST /content-template/{id}/render'>> {
  return call(gantry, 'POST /content-template/{id}/render', { path: { id }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /content-template/{id}'>) => Body<'PATCH /content-template/{id}'>): Promise<Answer<'PATCH /content-template/{id}'>> {
  return changeRecord(gantry, 'GET /content-template/{id}', 'PATCH /content-template/{id}', { id }, compute)
}
