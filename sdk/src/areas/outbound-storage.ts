// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** Show what is stored where */
export function usage(gantry: Gantry, options: Options<'GET /outbound-storage/usage'> = {}): Call<Answer<'GET /outbound-storage/usage'>> {
  return call(gantry, 'GET /outbound-storage/usage', { ...options })
}

/** List OutboundStorages */
export function list(gantry: Gantry, query: Query<'GET /outbound-storage'> = {}): Pages<Listed<'GET /outbound-storage'>> {
  return pagesOf(gantry, 'GET /outbound-storage', { query })
}

/** Create one OutboundStorage */
export function create(gantry: Gantry, body: Body<'POST /outbound-storage'>, options: Options<'POST /outbound-storage'> = {}): Call<Answer<'POST /outbound-storage'>> {
  return call(gantry, 'POST /outbound-storage', { body, ...options })
}

/** Get one OutboundStorage */
export function get(gantry: Gantry, id: string, options: Options<'GET /outbound-storage/{id}'> = {}): Call<Answer<'GET /outbound-storage/{id}'>> {
  return call(gantry, 'GET /outbound-storage/{id}', { path: { id }, ...options })
}

/** Update one OutboundStorage */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /outbound-storage/{id}'>, options: Options<'PATCH /outbound-storage/{id}'> = {}): Call<Answer<'PATCH /outbound-storage/{id}'>> {
  return call(gantry, 'PATCH /outbound-storage/{id}', { path: { id }, body, ...options })
}

/** Delete one OutboundStorage */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /outbound-storage/{id}'> = {}): Call<Answer<'DELETE /outbound-storage/{id}'>> {
  return call(gantry, 'DELETE /outbound-storage/{id}', { path: { id }, ...options })
}

/** Restore a deleted OutboundStorage */
export function restore(gantry: Gantry, id: string, options: Options<'POST /outbound-storage/{id}/restore'> = {}): Call<Answer<'POST /outbound-storage/{id}/restore'>> {
  return call(gantry, 'POST /outbound-storage/{id}/restore', { path: { id }, ...options })
}

/** History of a OutboundStorage */
export function history(gantry: Gantry, id: string, options: Options<'GET /outbound-storage/{id}/history'> = {}): Call<Answer<'GET /outbound-storage/{id}/history'>> {
  return call(gantry, 'GET /outbound-storage/{id}/history', { path: { id }, ...options })
}

/** Check one OutboundStorage */
export function check(gantry: Gantry, id: string, options: Options<'GET /outbound-storage/{id}/check'> = {}): Call<Answer<'GET /outbound-storage/{id}/check'>> {
  return call(gantry, 'GET /outbound-storage/{id}/check', { path: { id }, ...options })
}

/** Test a storage */
export function test(gantry: Gantry, id: string, options: Options<'POST /outbound-storage/{id}/test'> = {}): Call<Answer<'POST /outbound-storage/{id}/test'>> {
  return call(gantry, 'POST /outbound-storage/{id}/test', { path: { id }, ...options })
}

/** Move all files to a storage */
export function migrate(gantry: Gantry, id: string, options: Options<'POST /outbound-storage/{id}/migrate'> = {}): Call<Answer<'POST /outbound-storage/{id}/migrate'>> {
  return call(gantry, 'POST /outbound-storage/{id}/migrate', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /outbound-storage/{id}'>) => Body<'PATCH /outbound-storage/{id}'>): Promise<Answer<'PATCH /outbound-storage/{id}'>> {
  return changeRecord(gantry, 'GET /outbound-storage/{id}', 'PATCH /outbound-storage/{id}', { id }, compute)
}
