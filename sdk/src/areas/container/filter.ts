// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List ContainerFilters */
export function list(gantry: Gantry, containerId: string, query: Query<'GET /container/{containerId}/filter'> = {}): Pages<Listed<'GET /container/{containerId}/filter'>> {
  return pagesOf(gantry, 'GET /container/{containerId}/filter', { path: { containerId }, query })
}

/** Create one ContainerFilter */
export function create(gantry: Gantry, containerId: string, body: Body<'POST /container/{containerId}/filter'>, options: Options<'POST /container/{containerId}/filter'> = {}): Call<Answer<'POST /container/{containerId}/filter'>> {
  return call(gantry, 'POST /container/{containerId}/filter', { path: { containerId }, body, ...options })
}

/** Get one ContainerFilter */
export function get(gantry: Gantry, containerId: string, filterId: string, options: Options<'GET /container/{containerId}/filter/{filterId}'> = {}): Call<Answer<'GET /container/{containerId}/filter/{filterId}'>> {
  return call(gantry, 'GET /container/{containerId}/filter/{filterId}', { path: { containerId, filterId }, ...options })
}

/** Update one ContainerFilter */
export function update(gantry: Gantry, containerId: string, filterId: string, body: Body<'PATCH /container/{containerId}/filter/{filterId}'>, options: Options<'PATCH /container/{containerId}/filter/{filterId}'> = {}): Call<Answer<'PATCH /container/{containerId}/filter/{filterId}'>> {
  return call(gantry, 'PATCH /container/{containerId}/filter/{filterId}', { path: { containerId, filterId }, body, ...options })
}

/** Delete one ContainerFilter */
export function remove(gantry: Gantry, containerId: string, filterId: string, options: Options<'DELETE /container/{containerId}/filter/{filterId}'> = {}): Call<Answer<'DELETE /container/{containerId}/filter/{filterId}'>> {
  return call(gantry, 'DELETE /container/{containerId}/filter/{filterId}', { path: { containerId, filterId }, ...options })
}

/** Restore a deleted ContainerFilter */
export function restore(gantry: Gantry, containerId: string, filterId: string, options: Options<'POST /container/{containerId}/filter/{filterId}/restore'> = {}): Call<Answer<'POST /container/{containerId}/filter/{filterId}/restore'>> {
  return call(gantry, 'POST /container/{containerId}/filter/{filterId}/restore', { path: { containerId, filterId }, ...options })
}

/** History of a ContainerFilter */
export function history(gantry: Gantry, containerId: string, filterId: string, options: Options<'GET /container/{containerId}/filter/{filterId}/history'> = {}): Call<Answer<'GET /container/{containerId}/filter/{filterId}/history'>> {
  return call(gantry, 'GET /container/{containerId}/filter/{filterId}/history', { path: { containerId, filterId }, ...options })
}

/** Check one ContainerFilter */
export function check(gantry: Gantry, containerId: string, filterId: string, options: Options<'GET /container/{containerId}/filter/{filterId}/check'> = {}): Call<Answer<'GET /container/{containerId}/filter/{filterId}/check'>> {
  return call(gantry, 'GET /container/{containerId}/filter/{filterId}/check', { path: { containerId, filterId }, ...options })
}

/** Run a filter */
export function items(gantry: Gantry, containerId: string, filterId: string, query: Query<'GET /container/{containerId}/filter/{filterId}/items'> = {}): Pages<Listed<'GET /container/{containerId}/filter/{filterId}/items'>> {
  return pagesOf(gantry, 'GET /container/{containerId}/filter/{filterId}/items', { path: { containerId, filterId }, query })
}

/** Count the items of a filter */
export function count(gantry: Gantry, containerId: string, filterId: string, options: Options<'GET /container/{containerId}/filter/{filterId}/count'> = {}): Call<Answer<'GET /container/{containerId}/filter/{filterId}/count'>> {
  return call(gantry, 'GET /container/{containerId}/filter/{filterId}/count', { path: { containerId, filterId }, ...options })
}

/** Group the items of a filter */
export function groups(gantry: Gantry, containerId: string, filterId: string, options: Options<'GET /container/{containerId}/filter/{filterId}/groups'> = {}): Call<Answer<'GET /container/{containerId}/filter/{filterId}/groups'>> {
  return call(gantry, 'GET /container/{containerId}/filter/{filterId}/groups', { path: { containerId, filterId }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, containerId: string, filterId: string, compute: (current: Answer<'GET /container/{containerId}/filter/{filterId}'>) => Body<'PATCH /container/{containerId}/filter/{filterId}'>): Promise<Answer<'PATCH /container/{containerId}/filter/{filterId}'>> {
  return changeRecord(gantry, 'GET /container/{containerId}/filter/{filterId}', 'PATCH /container/{containerId}/filter/{filterId}', { containerId, filterId }, compute)
}
