// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, linesOf, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Users */
export function list(gantry: Gantry, query: Query<'GET /user'> = {}): Pages<Listed<'GET /user'>> {
  return pagesOf(gantry, 'GET /user', { query })
}

/** Create one User */
export function create(gantry: Gantry, body: Body<'POST /user'>, options: Options<'POST /user'> = {}): Call<Answer<'POST /user'>> {
  return call(gantry, 'POST /user', { body, ...options })
}

/** Change many users */
export function updateMany(gantry: Gantry, body: Body<'PATCH /user'>, options: Options<'PATCH /user'> = {}): Call<Answer<'PATCH /user'>> {
  return call(gantry, 'PATCH /user', { body, ...options })
}

/** Delete many users */
export function removeMany(gantry: Gantry, options: Options<'DELETE /user'> = {}): Call<Answer<'DELETE /user'>> {
  return call(gantry, 'DELETE /user', { ...options })
}

/** Get the caller */
export function me(gantry: Gantry, options: Options<'GET /user/me'> = {}): Call<Answer<'GET /user/me'>> {
  return call(gantry, 'GET /user/me', { ...options })
}

/** Change one’s own profile */
export function updateMe(gantry: Gantry, body: Body<'PATCH /user/me'>, options: Options<'PATCH /user/me'> = {}): Call<Answer<'PATCH /user/me'>> {
  return call(gantry, 'PATCH /user/me', { body, ...options })
}

/** Get one User */
export function get(gantry: Gantry, id: string, options: Options<'GET /user/{id}'> = {}): Call<Answer<'GET /user/{id}'>> {
  return call(gantry, 'GET /user/{id}', { path: { id }, ...options })
}

/** Update one User */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /user/{id}'>, options: Options<'PATCH /user/{id}'> = {}): Call<Answer<'PATCH /user/{id}'>> {
  return call(gantry, 'PATCH /user/{id}', { path: { id }, body, ...options })
}

/** Delete one User */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /user/{id}'> = {}): Call<Answer<'DELETE /user/{id}'>> {
  return call(gantry, 'DELETE /user/{id}', { path: { id }, ...options })
}

/** Restore a deleted User */
export function restore(gantry: Gantry, id: string, options: Options<'POST /user/{id}/restore'> = {}): Call<Answer<'POST /user/{id}/restore'>> {
  return call(gantry, 'POST /user/{id}/restore', { path: { id }, ...options })
}

/** Export the data of a person */
export function exportAll(gantry: Gantry, id: string, options: Options<'GET /user/{id}/export'> = {}): AsyncGenerator<unknown> {
  return linesOf(gantry, 'GET /user/{id}/export', { path: { id }, ...options })
}

/** History of a User */
export function history(gantry: Gantry, id: string, options: Options<'GET /user/{id}/history'> = {}): Call<Answer<'GET /user/{id}/history'>> {
  return call(gantry, 'GET /user/{id}/history', { path: { id }, ...options })
}

/** Get the rate in force */
export function rate(gantry: Gantry, id: string, options: Options<'GET /user/{id}/rate'> = {}): Call<Answer<'GET /user/{id}/rate'>> {
  return call(gantry, 'GET /user/{id}/rate', { path: { id }, ...options })
}

/** Set a password */
export function password(gantry: Gantry, id: string, body: Body<'POST /user/{id}/password'>, options: Options<'POST /user/{id}/password'> = {}): Call<Answer<'POST /user/{id}/password'>> {
  return call(gantry, 'POST /user/{id}/password', { path: { id }, body, ...options })
}

/** Begin to set up a second factor */
export function createMeSecondFactor(gantry: Gantry, body: Body<'POST /user/me/second-factor'>, options: Options<'POST /user/me/second-factor'> = {}): Call<Answer<'POST /user/me/second-factor'>> {
  return call(gantry, 'POST /user/me/second-factor', { body, ...options })
}

/** Get the state of a second factor */
export function meSecondFactor(gantry: Gantry, options: Options<'GET /user/me/second-factor'> = {}): Call<Answer<'GET /user/me/second-factor'>> {
  return call(gantry, 'GET /user/me/second-factor', { ...options })
}

/** Confirm the second factor */
export function meSecondFactorConfirm(gantry: Gantry, body: Body<'POST /user/me/second-factor/confirm'>, options: Options<'POST /user/me/second-factor/confirm'> = {}): Call<Answer<'POST /user/me/second-factor/confirm'>> {
  return call(gantry, 'POST /user/me/second-factor/confirm', { body, ...options })
}

/** Make new recovery codes */
export function meSecondFactorRecoveryCodes(gantry: Gantry, body: Body<'POST /user/me/second-factor/recovery-codes'>, options: Options<'POST /user/me/second-factor/recovery-codes'> = {}): Call<Answer<'POST /user/me/second-factor/recovery-codes'>> {
  return call(gantry, 'POST /user/me/second-factor/recovery-codes', { body, ...options })
}

/** Remove the own second factor */
export function meSecondFactorRemove(gantry: Gantry, body: Body<'POST /user/me/second-factor/remove'>, options: Options<'POST /user/me/second-factor/remove'> = {}): Call<Answer<'POST /user/me/second-factor/remove'>> {
  return call(gantry, 'POST /user/me/second-factor/remove', { body, ...options })
}

/** Get the state of a second factor */
export function secondFactor(gantry: Gantry, id: string, options: Options<'GET /user/{id}/second-factor'> = {}): Call<Answer<'GET /user/{id}/second-factor'>> {
  return call(gantry, 'GET /user/{id}/second-factor', { path: { id }, ...options })
}

/** Remove the second factor of another user */
export function removeSecondFactor(gantry: Gantry, id: string, options: Options<'DELETE /user/{id}/second-factor'> = {}): Call<Answer<'DELETE /user/{id}/second-factor'>> {
  return call(gantry, 'DELETE /user/{id}/second-factor', { path: { id }, ...options })
}

/** Invite a user */
export function invite(gantry: Gantry, id: string, options: Options<'POST /user/{id}/invite'> = {}): Call<Answer<'POST /user/{id}/invite'>> {
  return call(gantry, 'POST /user/{id}/invite', { path: { id }, ...options })
}

/** Reactivate a user */
export function reactivate(gantry: Gantry, id: string, options: Options<'POST /user/{id}/reactivate'> = {}): Call<Answer<'POST /user/{id}/reactivate'>> {
  return call(gantry, 'POST /user/{id}/reactivate', { path: { id }, ...options })
}

/** Start to link the caller with a provider */
export function meIdentityStart(gantry: Gantry, body: Body<'POST /user/me/identity/start'>, options: Options<'POST /user/me/identity/start'> = {}): Call<Answer<'POST /user/me/identity/start'>> {
  return call(gantry, 'POST /user/me/identity/start', { body, ...options })
}

/** Link a user with an external identity */
export function setIdentity(gantry: Gantry, id: string, body: Body<'PUT /user/{id}/identity'>, options: Options<'PUT /user/{id}/identity'> = {}): Call<Answer<'PUT /user/{id}/identity'>> {
  return call(gantry, 'PUT /user/{id}/identity', { path: { id }, body, ...options })
}

/** List the open assignments of a user */
export function assignments(gantry: Gantry, id: string, options: Options<'GET /user/{id}/assignments'> = {}): Call<Answer<'GET /user/{id}/assignments'>> {
  return call(gantry, 'GET /user/{id}/assignments', { path: { id }, ...options })
}

/** Deactivate a user */
export function deactivate(gantry: Gantry, id: string, body: Body<'POST /user/{id}/deactivate'>, options: Options<'POST /user/{id}/deactivate'> = {}): Call<Answer<'POST /user/{id}/deactivate'>> {
  return call(gantry, 'POST /user/{id}/deactivate', { path: { id }, body, ...options })
}

/** Anonymise a user */
export function anonymise(gantry: Gantry, id: string, options: Options<'POST /user/{id}/anonymise'> = {}): Call<Answer<'POST /user/{id}/anonymise'>> {
  return call(gantry, 'POST /user/{id}/anonymise', { path: { id }, ...options })
}

/** Capacity of a user */
export function capacity(gantry: Gantry, id: string, options: Options<'GET /user/{id}/capacity'> = {}): Call<Answer<'GET /user/{id}/capacity'>> {
  return call(gantry, 'GET /user/{id}/capacity', { path: { id }, ...options })
}

/** Balance of working time */
export function balance(gantry: Gantry, id: string, options: Options<'GET /user/{id}/balance'> = {}): Call<Answer<'GET /user/{id}/balance'>> {
  return call(gantry, 'GET /user/{id}/balance', { path: { id }, ...options })
}

/** Get the work of the caller */
export function meWork(gantry: Gantry, options: Options<'GET /user/me/work'> = {}): Call<Answer<'GET /user/me/work'>> {
  return call(gantry, 'GET /user/me/work', { ...options })
}

/** Create or update many users */
export function bulk(gantry: Gantry, body: Body<'POST /user/bulk'>, options: Options<'POST /user/bulk'> = {}): Call<Answer<'POST /user/bulk'>> {
  return call(gantry, 'POST /user/bulk', { body, ...options })
}

/** Accept an invitation */
export function invitationAccept(gantry: Gantry, body: Body<'POST /user/invitation/accept'>, options: Options<'POST /user/invitation/accept'> = {}): Call<Answer<'POST /user/invitation/accept'>> {
  return call(gantry, 'POST /user/invitation/accept', { body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /user/{id}'>) => Body<'PATCH /user/{id}'>): Promise<Answer<'PATCH /user/{id}'>> {
  return changeRecord(gantry, 'GET /user/{id}', 'PATCH /user/{id}', { id }, compute)
}
