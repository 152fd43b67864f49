// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List OAuthClients */
export function list(gantry: Gantry, query: Query<'GET /oauth-client'> = {}): Pages<Listed<'GET /oauth-client'>> {
  return pagesOf(gantry, 'GET /oauth-client', { query })
}

/** Register one OAuthClient */
export function create(gantry: Gantry, body: Body<'POST /oauth-client'>, options: Options<'POST /oauth-client'> = {}): Call<Answer<'POST /oauth-client'>> {
  return call(gantry, 'POST /oauth-client', { body, ...options })
}

/** Get one OAuthClient */
export function get(gantry: Gantry, id: string, options: Options<'GET /oauth-client/{id}'> = {}): Call<Answer<'GET /oauth-client/{id}'>> {
  return call(gantry, 'GET /oauth-client/{id}', { path: { id }, ...options })
}

/** Update one OAuthClient */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /oauth-client/{id}'>, options: Options<'PATCH /oauth-client/{id}'> = {}): Call<Answer<'PATCH /oauth-client/{id}'>> {
  return call(gantry, 'PATCH /oauth-client/{id}', { path: { id }, body, ...options })
}

/** Delete one OAuthClient */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /oauth-client/{id}'> = {}): Call<Answer<'DELETE /oauth-client/{id}'>> {
  return call(gantry, 'DELETE /oauth-client/{id}', { path: { id }, ...options })
}

/** Restore a deleted OAuthClient */
export function restore(gantry: Gantry, id: string, options: Options<'POST /oauth-client/{id}/restore'> = {}): Call<Answer<'POST /oauth-client/{id}/restore'>> {
  return call(gantry, 'POST /oauth-client/{id}/restore', { path: { id }, ...options })
}

/** Replace the secret of an OAuthClient */
export function secret(gantry: Gantry, id: string, body: Body<'POST /oauth-client/{id}/secret'>, options: Options<'POST /oauth-client/{id}/secret'> = {}): Call<Answer<'POST /oauth-client/{id}/secret'>> {
  return call(gantry, 'POST /oauth-client/{id}/secret', { path: { id }, body, ...options })
}

/** History of a OAuthClient */
export function history(gantry: Gantry, id: string, options: Options<'GET /oauth-client/{id}/history'> = {}): Call<Answer<'GET /oauth-client/{id}/history'>> {
  return call(gantry, 'GET /oauth-client/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /oauth-client/{id}'>) => Body<'PATCH /oauth-client/{id}'>): Promise<Answer<'PATCH /oauth-client/{id}'>> {
  return changeRecord(gantry, 'GET /oauth-client/{id}', 'PATCH /oauth-client/{id}', { id }, compute)
}
