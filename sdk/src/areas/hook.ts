// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Hooks */
export function list(gantry: Gantry, query: Query<'GET /hook'> = {}): Pages<Listed<'GET /hook'>> {
  return pagesOf(gantry, 'GET /hook', { query })
}

/** Create one Hook */
export function create(gantry: Gantry, body: Body<'POST /hook'>, options: Options<'POST /hook'> = {}): Call<Answer<'POST /hook'>> {
  return call(gantry, 'POST /hook', { body, ...options })
}

/** Get one Hook */
export function get(gantry: Gantry, id: string, options: Options<'GET /hook/{id}'> = {}): Call<Answer<'GET /hook/{id}'>> {
  return call(gantry, 'GET /hook/{id}', { path: { id }, ...options })
}

/** Update one Hook */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /hook/{id}'>, options: Options<'PATCH /hook/{id}'> = {}): Call<Answer<'PATCH /hook/{id}'>> {
  return call(gantry, 'PATCH /hook/{id}', { path: { id }, body, ...options })
}

/** Delete one Hook */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /hook/{id}'> = {}): Call<Answer<'DELETE /hook/{id}'>> {
  return call(gantry, 'DELETE /hook/{id}', { path: { id }, ...options })
}

/** Restore a deleted Hook */
export function restore(gantry: Gantry, id: string, options: Options<'POST /hook/{id}/restore'> = {}): Call<Answer<'POST /hook/{id}/restore'>> {
  return call(gantry, 'POST /hook/{id}/restore', { path: { id }, ...options })
}

/** History of a Hook */
export function history(gantry: Gantry, id: string, options: Options<'GET /hook/{id}/history'> = {}): Call<Answer<'GET /hook/{id}/history'>> {
  return call(gantry, 'GET /hook/{id}/history', { path: { id }, ...options })
}

/** Check one Hook */
export function check(gantry: Gantry, id: string, options: Options<'GET /hook/{id}/check'> = {}): Call<Answer<'GET /hook/{id}/check'>> {
  return call(gantry, 'GET /hook/{id}/check', { path: { id }, ...options })
}

/** Test a hook */
export function test(gantry: Gantry, id: string, options: Options<'POST /hook/{id}/test'> = {}): Call<Answer<'POST /hook/{id}/test'>> {
  return call(gantry, 'POST /hook/{id}/test', { path: { id }, ...options })
}

/** Change the secret of a hook */
export function rotateSecret(gantry: Gantry, id: string, options: Options<'POST /hook/{id}/rotate-secret'> = {}): Call<Answer<'POST /hook/{id}/rotate-secret'>> {
  return call(gantry, 'POST /hook/{id}/rotate-secret', { path: { id }, ...options })
}

/** Deliver a range of the event log again */
export function redeliver(gantry: Gantry, id: string, body: Body<'POST /hook/{id}/redeliver'>, options: Options<'POST /hook/{id}/redeliver'> = {}): Call<Answer<'POST /hook/{id}/redeliver'>> {
  return call(gantry, 'POST /hook/{id}/redeliver', { path: { id }, body, ...options })
}

/** List the deliveries of a hook */
export function deliveries(gantry: Gantry, id: string, query: Query<'GET /hook/{id}/delivery'> = {}): Pages<Listed<'GET /hook/{id}/delivery'>> {
  return pagesOf(gantry, 'GET /hook/{id}/delivery', { path: { id }, query })
}

/** Get a delivery */
export function delivery(gantry: Gantry, id: string, options: Options<'GET /hook/delivery/{id}'> = {}): Call<Answer<'GET /hook/delivery/{id}'>> {
  return call(gantry, 'GET /hook/delivery/{id}', { path: { id }, ...options })
}

/** Repeat a delivery */
export function deliveryRedeliver(gantry: Gantry, id: string, options: Options<'POST /hook/delivery/{id}/redeliver'> = {}): Call<Answer<'POST /hook/delivery/{id}/redeliver'>> {
  return call(gantry, 'POST /hook/delivery/{id}/redeliver', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /hook/{id}'>) => Body<'PATCH /hook/{id}'>): Promise<Answer<'PATCH /hook/{id}'>> {
  return changeRecord(gantry, 'GET /hook/{id}', 'PATCH /hook/{id}', { id }, compute)
}
