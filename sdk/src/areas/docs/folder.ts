// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Folders */
export function list(gantry: Gantry, query: Query<'GET /docs/folder'> = {}): Pages<Listed<'GET /docs/folder'>> {
  return pagesOf(gantry, 'GET /docs/folder', { query })
}

/** Create one Folder */
export function create(gantry: Gantry, body: Body<'POST /docs/folder'>, options: Options<'POST /docs/folder'> = {}): Call<Answer<'POST /docs/folder'>> {
  return call(gantry, 'POST /docs/folder', { body, ...options })
}

/** Get one Folder */
export function get(gantry: Gantry, id: string, options: Options<'GET /docs/folder/{id}'> = {}): Call<Answer<'GET /docs/folder/{id}'>> {
  return call(gantry, 'GET /docs/folder/{id}', { path: { id }, ...options })
}

/** Update one Folder */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /docs/folder/{id}'>, options: Options<'PATCH /docs/folder/{id}'> = {}): Call<Answer<'PATCH /docs/folder/{id}'>> {
  return call(gantry, 'PATCH /docs/folder/{id}', { path: { id }, body, ...options })
}

/** Delete one Folder */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /docs/folder/{id}'> = {}): Call<Answer<'DELETE /docs/folder/{id}'>> {
  return call(gantry, 'DELETE /docs/folder/{id}', { path: { id }, ...options })
}

/** Restore a deleted Folder */
export function restore(gantry: Gantry, id: string, options: Options<'POST /docs/folder/{id}/restore'> = {}): Call<Answer<'POST /docs/folder/{id}/restore'>> {
  return call(gantry, 'POST /docs/folder/{id}/restore', { path: { id }, ...options })
}

/** History of a Folder */
export function history(gantry: Gantry, id: string, options: Options<'GET /docs/folder/{id}/history'> = {}): Call<Answer<'GET /docs/folder/{id}/history'>> {
  return call(gantry, 'GET /docs/folder/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /docs/folder/{id}'>) => Body<'PATCH /docs/folder/{id}'>): Promise<Answer<'PATCH /docs/folder/{id}'>> {
  return changeRecord(gantry, 'GET /docs/folder/{id}', 'PATCH /docs/folder/{id}', { id }, compute)
}
