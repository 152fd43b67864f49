// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List ItemTemplates */
export function list(gantry: Gantry, query: Query<'GET /item-template'> = {}): Pages<Listed<'GET /item-template'>> {
  return pagesOf(gantry, 'GET /item-template', { query })
}

/** Create one ItemTemplate */
export function create(gantry: Gantry, body: Body<'POST /item-template'>, options: Options<'POST /item-template'> = {}): Call<Answer<'POST /item-template'>> {
  return call(gantry, 'POST /item-template', { body, ...options })
}

/** Get one ItemTemplate */
export function get(gantry: Gantry, id: string, options: Options<'GET /item-template/{id}'> = {}): Call<Answer<'GET /item-template/{id}'>> {
  return call(gantry, 'GET /item-template/{id}', { path: { id }, ...options })
}

/** Update one ItemTemplate */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /item-template/{id}'>, options: Options<'PATCH /item-template/{id}'> = {}): Call<Answer<'PATCH /item-template/{id}'>> {
  return call(gantry, 'PATCH /item-template/{id}', { path: { id }, body, ...options })
}

/** Delete one ItemTemplate */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /item-template/{id}'> = {}): Call<Answer<'DELETE /item-template/{id}'>> {
  return call(gantry, 'DELETE /item-template/{id}', { path: { id }, ...options })
}

/** Restore a deleted ItemTemplate */
export function restore(gantry: Gantry, id: string, options: Options<'POST /item-template/{id}/restore'> = {}): Call<Answer<'POST /item-template/{id}/restore'>> {
  return call(gantry, 'POST /item-template/{id}/restore', { path: { id }, ...options })
}

/** History of a ItemTemplate */
export function history(gantry: Gantry, id: string, options: Options<'GET /item-template/{id}/history'> = {}): Call<Answer<'GET /item-template/{id}/history'>> {
  return call(gantry, 'GET /item-template/{id}/history', { path: { id }, ...options })
}

/** Check one ItemTemplate */
export function check(gantry: Gantry, id: string, options: Options<'GET /item-template/{id}/check'> = {}): Call<Answer<'GET /item-template/{id}/check'>> {
  return call(gantry, 'GET /item-template/{id}/check', { path: { id }, ...options })
}

/** Create items from a template */
export function createItems(gantry: Gantry, id: string, body: Body<'POST /item-template/{id}/create'>, options: Options<'POST /item-template/{id}/create'> = {}): Call<Answer<'POST /item-template/{id}/create'>> {
  return call(gantry, 'POST /item-template/{id}/create', { path: { id }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /item-template/{id}'>) => Body<'PATCH /item-template/{id}'>): Promise<Answer<'PATCH /item-template/{id}'>> {
  return changeRecord(gantry, 'GET /item-template/{id}', 'PATCH /item-template/{id}', { id }, compute)
}
