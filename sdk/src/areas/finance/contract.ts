// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Contracts */
export function list(gantry: Gantry, query: Query<'GET /finance/contract'> = {}): Pages<Listed<'GET /finance/contract'>> {
  return pagesOf(gantry, 'GET /finance/contract', { query })
}

/** Create one Contract */
export function create(gantry: Gantry, body: Body<'POST /finance/contract'>, options: Options<'POST /finance/contract'> = {}): Call<Answer<'POST /finance/contract'>> {
  return call(gantry, 'POST /finance/contract', { body, ...options })
}

/** Get one Contract */
export function get(gantry: Gantry, id: string, options: Options<'GET /finance/contract/{id}'> = {}): Call<Answer<'GET /finance/contract/{id}'>> {
  return call(gantry, 'GET /finance/contract/{id}', { path: { id }, ...options })
}

/** Update one Contract */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /finance/contract/{id}'>, options: Options<'PATCH /finance/contract/{id}'> = {}): Call<Answer<'PATCH /finance/contract/{id}'>> {
  return call(gantry, 'PATCH /finance/contract/{id}', { path: { id }, body, ...options })
}

/** Delete one Contract */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /finance/contract/{id}'> = {}): Call<Answer<'DELETE /finance/contract/{id}'>> {
  return call(gantry, 'DELETE /finance/contract/{id}', { path: { id }, ...options })
}

/** Restore a deleted Contract */
export function restore(gantry: Gantry, id: string, options: Options<'POST /finance/contract/{id}/restore'> = {}): Call<Answer<'POST /finance/contract/{id}/restore'>> {
  return call(gantry, 'POST /finance/contract/{id}/restore', { path: { id }, ...options })
}

/** History of a Contract */
export function history(gantry: Gantry, id: string, options: Options<'GET /finance/contract/{id}/history'> = {}): Call<Answer<'GET /finance/contract/{id}/history'>> {
  return call(gantry, 'GET /finance/contract/{id}/history', { path: { id }, ...options })
}

/** Check one Contract */
export function check(gantry: Gantry, id: string, options: Options<'GET /finance/contract/{id}/check'> = {}): Call<Answer<'GET /finance/contract/{id}/check'>> {
  return call(gantry, 'GET /finance/contract/{id}/check', { path: { id }, ...options })
}

/** Say what is left of a contract */
export function balance(gantry: Gantry, id: string, options: Options<'GET /finance/contract/{id}/balance'> = {}): Call<Answer<'GET /finance/contract/{id}/balance'>> {
  return call(gantry, 'GET /finance/contract/{id}/balance', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /finance/contract/{id}'>) => Body<'PATCH /finance/contract/{id}'>): Promise<Answer<'PATCH /finance/contract/{id}'>> {
  return changeRecord(gantry, 'GET /finance/contract/{id}', 'PATCH /finance/contract/{id}', { id }, compute)
}
