// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Containers */
export function list(gantry: Gantry, query: Query<'GET /container'> = {}): Pages<Listed<'GET /container'>> {
  return pagesOf(gantry, 'GET /container', { query })
}

/** Create one Container */
export function create(gantry: Gantry, body: Body<'POST /container'>, options: Options<'POST /container'> = {}): Call<Answer<'POST /container'>> {
  return call(gantry, 'POST /container', { body, ...options })
}

/** Change many containers */
export function updateMany(gantry: Gantry, body: Body<'PATCH /container'>, options: Options<'PATCH /container'> = {}): Call<Answer<'PATCH /container'>> {
  return call(gantry, 'PATCH /container', { body, ...options })
}

/** Delete many containers */
export function removeMany(gantry: Gantry, options: Options<'DELETE /container'> = {}): Call<Answer<'DELETE /container'>> {
  return call(gantry, 'DELETE /container', { ...options })
}

/** Get one Container */
export function get(gantry: Gantry, id: string, options: Options<'GET /container/{id}'> = {}): Call<Answer<'GET /container/{id}'>> {
  return call(gantry, 'GET /container/{id}', { path: { id }, ...options })
}

/** Update one Container */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /container/{id}'>, options: Options<'PATCH /container/{id}'> = {}): Call<Answer<'PATCH /container/{id}'>> {
  return call(gantry, 'PATCH /container/{id}', { path: { id }, body, ...options })
}

/** Delete one Container */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /container/{id}'> = {}): Call<Answer<'DELETE /container/{id}'>> {
  return call(gantry, 'DELETE /container/{id}', { path: { id }, ...options })
}

/** Restore a deleted Container */
export function restore(gantry: Gantry, id: string, options: Options<'POST /container/{id}/restore'> = {}): Call<Answer<'POST /container/{id}/restore'>> {
  return call(gantry, 'POST /container/{id}/restore', { path: { id }, ...options })
}

/** History of a Container */
export function history(gantry: Gantry, id: string, options: Options<'GET /container/{id}/history'> = {}): Call<Answer<'GET /container/{id}/history'>> {
  return call(gantry, 'GET /container/{id}/history', { path: { id }, ...options })
}

/** List the filters of all containers */
export function filter(gantry: Gantry, query: Query<'GET /container/filter'> = {}): Pages<Listed<'GET /container/filter'>> {
  return pagesOf(gantry, 'GET /container/filter', { query })
}

/** List the request types of a service desk */
export function requestType(gantry: Gantry, id: string, options: Options<'GET /container/{id}/request-type'> = {}): Call<Answer<'GET /container/{id}/request-type'>> {
  return call(gantry, 'GET /container/{id}/request-type', { path: { id }, ...options })
}

/** Copy a container */
export function copy(gantry: Gantry, id: string, body: Body<'POST /container/{id}/copy'>, options: Options<'POST /container/{id}/copy'> = {}): Call<Answer<'POST /container/{id}/copy'>> {
  return call(gantry, 'POST /container/{id}/copy', { path: { id }, body, ...options })
}

/** Create or update many containers */
export function bulk(gantry: Gantry, body: Body<'POST /container/bulk'>, options: Options<'POST /container/bulk'> = {}): Call<Answer<'POST /container/bulk'>> {
  return call(gantry, 'POST /container/bulk', { body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /container/{id}'>) => Body<'PATCH /container/{id}'>): Promise<Answer<'PATCH /container/{id}'>> {
  return changeRecord(gantry, 'GET /container/{id}', 'PATCH /container/{id}', { id }, compute)
}
