// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Boards */
export function list(gantry: Gantry, query: Query<'GET /board'> = {}): Pages<Listed<'GET /board'>> {
  return pagesOf(gantry, 'GET /board', { query })
}

/** Create one Board */
export function create(gantry: Gantry, body: Body<'POST /board'>, options: Options<'POST /board'> = {}): Call<Answer<'POST /board'>> {
  return call(gantry, 'POST /board', { body, ...options })
}

/** Get one Board */
export function get(gantry: Gantry, id: string, options: Options<'GET /board/{id}'> = {}): Call<Answer<'GET /board/{id}'>> {
  return call(gantry, 'GET /board/{id}', { path: { id }, ...options })
}

/** Update one Board */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /board/{id}'>, options: Options<'PATCH /board/{id}'> = {}): Call<Answer<'PATCH /board/{id}'>> {
  return call(gantry, 'PATCH /board/{id}', { path: { id }, body, ...options })
}

/** Delete one Board */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /board/{id}'> = {}): Call<Answer<'DELETE /board/{id}'>> {
  return call(gantry, 'DELETE /board/{id}', { path: { id }, ...options })
}

/** Restore a deleted Board */
export function restore(gantry: Gantry, id: string, options: Options<'POST /board/{id}/restore'> = {}): Call<Answer<'POST /board/{id}/restore'>> {
  return call(gantry, 'POST /board/{id}/restore', { path: { id }, ...options })
}

/** History of a Board */
export function history(gantry: Gantry, id: string, options: Options<'GET /board/{id}/history'> = {}): Call<Answer<'GET /board/{id}/history'>> {
  return call(gantry, 'GET /board/{id}/history', { path: { id }, ...options })
}

/** Check one Board */
export function check(gantry: Gantry, id: string, options: Options<'GET /board/{id}/check'> = {}): Call<Answer<'GET /board/{id}/check'>> {
  return call(gantry, 'GET /board/{id}/check', { path: { id }, ...options })
}

/** List the cards of a board */
export function cards(gantry: Gantry, id: string, options: Options<'GET /board/{id}/cards'> = {}): Call<Answer<'GET /board/{id}/cards'>> {
  return call(gantry, 'GET /board/{id}/cards', { path: { id }, ...options })
}

/** Move a card */
export function move(gantry: Gantry, id: string, body: Body<'POST /board/{id}/move'>, options: Options<'POST /board/{id}/move'> = {}): Call<Answer<'POST /board/{id}/move'>> {
  return call(gantry, 'POST /board/{id}/move', { path: { id }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /board/{id}'>) => Body<'PATCH /board/{id}'>): Promise<Answer<'PATCH /board/{id}'>> {
  return changeRecord(gantry, 'GET /board/{id}', 'PATCH /board/{id}', { id }, compute)
}
