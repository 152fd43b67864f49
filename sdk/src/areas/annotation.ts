// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf, responseOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Annotations */
export function list(gantry: Gantry, query: Query<'GET /annotation'> = {}): Pages<Listed<'GET /annotation'>> {
  return pagesOf(gantry, 'GET /annotation', { query })
}

/** Create an annotation */
export function create(gantry: Gantry, body: Body<'POST /annotation'>, options: Options<'POST /annotation'> = {}): Call<Answer<'POST /annotation'>> {
  return call(gantry, 'POST /annotation', { body, ...options })
}

/** Change many annotations */
export function updateMany(gantry: Gantry, body: Body<'PATCH /annotation'>, options: Options<'PATCH /annotation'> = {}): Call<Answer<'PATCH /annotation'>> {
  return call(gantry, 'PATCH /annotation', { body, ...options })
}

/** Delete many annotations */
export function removeMany(gantry: Gantry, options: Options<'DELETE /annotation'> = {}): Call<Answer<'DELETE /annotation'>> {
  return call(gantry, 'DELETE /annotation', { ...options })
}

/** Get one Annotation */
export function get(gantry: Gantry, id: string, options: Options<'GET /annotation/{id}'> = {}): Call<Answer<'GET /annotation/{id}'>> {
  return call(gantry, 'GET /annotation/{id}', { path: { id }, ...options })
}

/** Edit an annotation */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /annotation/{id}'>, options: Options<'PATCH /annotation/{id}'> = {}): Call<Answer<'PATCH /annotation/{id}'>> {
  return call(gantry, 'PATCH /annotation/{id}', { path: { id }, body, ...options })
}

/** Delete one Annotation */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /annotation/{id}'> = {}): Call<Answer<'DELETE /annotation/{id}'>> {
  return call(gantry, 'DELETE /annotation/{id}', { path: { id }, ...options })
}

/** Restore a deleted Annotation */
export function restore(gantry: Gantry, id: string, options: Options<'POST /annotation/{id}/restore'> = {}): Call<Answer<'POST /annotation/{id}/restore'>> {
  return call(gantry, 'POST /annotation/{id}/restore', { path: { id }, ...options })
}

/** History of a Annotation */
export function history(gantry: Gantry, id: string, options: Options<'GET /annotation/{id}/history'> = {}): Call<Answer<'GET /annotation/{id}/history'>> {
  return call(gantry, 'GET /annotation/{id}/history', { path: { id }, ...options })
}

/** List the versions of an annotation */
export function versions(gantry: Gantry, id: string, options: Options<'GET /annotation/{id}/versions'> = {}): Call<Answer<'GET /annotation/{id}/versions'>> {
  return call(gantry, 'GET /annotation/{id}/versions', { path: { id }, ...options })
}

/** Make an internal note public */
export function publish(gantry: Gantry, id: string, body: Body<'POST /annotation/{id}/publish'>, options: Options<'POST /annotation/{id}/publish'> = {}): Call<Answer<'POST /annotation/{id}/publish'>> {
  return call(gantry, 'POST /annotation/{id}/publish', { path: { id }, body, ...options })
}

/** Pin an annotation */
export function pin(gantry: Gantry, id: string, options: Options<'POST /annotation/{id}/pin'> = {}): Call<Answer<'POST /annotation/{id}/pin'>> {
  return call(gantry, 'POST /annotation/{id}/pin', { path: { id }, ...options })
}

/** Unpin an annotation */
export function unpin(gantry: Gantry, id: string, options: Options<'POST /annotation/{id}/unpin'> = {}): Call<Answer<'POST /annotation/{id}/unpin'>> {
  return call(gantry, 'POST /annotation/{id}/unpin', { path: { id }, ...options })
}

/** Resolve a thread */
export function resolve(gantry: Gantry, id: string, options: Options<'POST /annotation/{id}/resolve'> = {}): Call<Answer<'POST /annotation/{id}/resolve'>> {
  return call(gantry, 'POST /annotation/{id}/resolve', { path: { id }, ...options })
}

/** Reopen a thread */
export function unresolve(gantry: Gantry, id: string, options: Options<'POST /annotation/{id}/unresolve'> = {}): Call<Answer<'POST /annotation/{id}/unresolve'>> {
  return call(gantry, 'POST /annotation/{id}/unresolve', { path: { id }, ...options })
}

/** React to an annotation */
export function setReaction(gantry: Gantry, id: string, emoji: string, options: Options<'PUT /annotation/{id}/reaction/{emoji}'> = {}): Call<Answer<'PUT /annotation/{id}/reaction/{emoji}'>> {
  return call(gantry, 'PUT /annotation/{id}/reaction/{emoji}', { path: { id, emoji }, ...options })
}

/** Remove a reaction to an annotation */
export function removeReaction(gantry: Gantry, id: string, emoji: string, options: Options<'DELETE /annotation/{id}/reaction/{emoji}'> = {}): Call<Answer<'DELETE /annotation/{id}/reaction/{emoji}'>> {
  return call(gantry, 'DELETE /annotation/{id}/reaction/{emoji}', { path: { id, emoji }, ...options })
}

/** Download the mail of an annotation */
export function raw(gantry: Gantry, id: string, options: Options<'GET /annotation/{id}/raw'> = {}): Promise<Response> {
  return responseOf(gantry, 'GET /annotation/{id}/raw', { path: { id }, ...options })
}

/** Create or update many annotations */
export function bulk(gantry: Gantry, body: Body<'POST /annotation/bulk'>, options: Options<'POST /annotation/bulk'> = {}): Call<Answer<'POST /annotation/bulk'>> {
  return call(gantry, 'POST /annotation/bulk', { body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /annotation/{id}'>) => Body<'PATCH /annotation/{id}'>): Promise<Answer<'PATCH /annotation/{id}'>> {
  return changeRecord(gantry, 'GET /annotation/{id}', 'PATCH /annotation/{id}', { id }, compute)
}
