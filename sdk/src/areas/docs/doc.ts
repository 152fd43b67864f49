// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf, responseOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Documents */
export function list(gantry: Gantry, query: Query<'GET /docs/doc'> = {}): Pages<Listed<'GET /docs/doc'>> {
  return pagesOf(gantry, 'GET /docs/doc', { query })
}

/** Create one Document */
export function create(gantry: Gantry, body: Body<'POST /docs/doc'>, options: Options<'POST /docs/doc'> = {}): Call<Answer<'POST /docs/doc'>> {
  return call(gantry, 'POST /docs/doc', { body, ...options })
}

/** Get one Document */
export function get(gantry: Gantry, id: string, options: Options<'GET /docs/doc/{id}'> = {}): Call<Answer<'GET /docs/doc/{id}'>> {
  return call(gantry, 'GET /docs/doc/{id}', { path: { id }, ...options })
}

/** Update one Document */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /docs/doc/{id}'>, options: Options<'PATCH /docs/doc/{id}'> = {}): Call<Answer<'PATCH /docs/doc/{id}'>> {
  return call(gantry, 'PATCH /docs/doc/{id}', { path: { id }, body, ...options })
}

/** Delete one Document */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /docs/doc/{id}'> = {}): Call<Answer<'DELETE /docs/doc/{id}'>> {
  return call(gantry, 'DELETE /docs/doc/{id}', { path: { id }, ...options })
}

/** Restore a deleted Document */
export function restore(gantry: Gantry, id: string, options: Options<'POST /docs/doc/{id}/restore'> = {}): Call<Answer<'POST /docs/doc/{id}/restore'>> {
  return call(gantry, 'POST /docs/doc/{id}/restore', { path: { id }, ...options })
}

/** History of a Document */
export function history(gantry: Gantry, id: string, options: Options<'GET /docs/doc/{id}/history'> = {}): Call<Answer<'GET /docs/doc/{id}/history'>> {
  return call(gantry, 'GET /docs/doc/{id}/history', { path: { id }, ...options })
}

/** Make a document of another one */
export function copy(gantry: Gantry, id: string, body: Body<'POST /docs/doc/{id}/copy'>, options: Options<'POST /docs/doc/{id}/copy'> = {}): Call<Answer<'POST /docs/doc/{id}/copy'>> {
  return call(gantry, 'POST /docs/doc/{id}/copy', { path: { id }, body, ...options })
}

/** List what a document refers to */
export function links(gantry: Gantry, id: string, options: Options<'GET /docs/doc/{id}/links'> = {}): Call<Answer<'GET /docs/doc/{id}/links'>> {
  return call(gantry, 'GET /docs/doc/{id}/links', { path: { id }, ...options })
}

/** Export a document */
export function exportAll(gantry: Gantry, id: string, options: Options<'GET /docs/doc/{id}/export'> = {}): Promise<Response> {
  return responseOf(gantry, 'GET /docs/doc/{id}/export', { path: { id }, ...options })
}

/** List the comments on a document */
export function comments(gantry: Gantry, id: string, options: Options<'GET /docs/doc/{id}/comments'> = {}): Call<Answer<'GET /docs/doc/{id}/comments'>> {
  return call(gantry, 'GET /docs/doc/{id}/comments', { path: { id }, ...options })
}

/** Get how a document is used as an article */
export function usage(gantry: Gantry, id: string, options: Options<'GET /docs/doc/{id}/usage'> = {}): Call<Answer<'GET /docs/doc/{id}/usage'>> {
  return call(gantry, 'GET /docs/doc/{id}/usage', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /docs/doc/{id}'>) => Body<'PATCH /docs/doc/{id}'>): Promise<Answer<'PATCH /docs/doc/{id}'>> {
  return changeRecord(gantry, 'GET /docs/doc/{id}', 'PATCH /docs/doc/{id}', { id }, compute)
}
