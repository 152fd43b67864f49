// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Mailboxs */
export function list(gantry: Gantry, query: Query<'GET /mail/mailbox'> = {}): Pages<Listed<'GET /mail/mailbox'>> {
  return pagesOf(gantry, 'GET /mail/mailbox', { query })
}

/** Create one Mailbox */
export function create(gantry: Gantry, body: Body<'POST /mail/mailbox'>, options: Options<'POST /mail/mailbox'> = {}): Call<Answer<'POST /mail/mailbox'>> {
  return call(gantry, 'POST /mail/mailbox', { body, ...options })
}

/** Get one Mailbox */
export function get(gantry: Gantry, id: string, options: Options<'GET /mail/mailbox/{id}'> = {}): Call<Answer<'GET /mail/mailbox/{id}'>> {
  return call(gantry, 'GET /mail/mailbox/{id}', { path: { id }, ...options })
}

/** Update one Mailbox */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /mail/mailbox/{id}'>, options: Options<'PATCH /mail/mailbox/{id}'> = {}): Call<Answer<'PATCH /mail/mailbox/{id}'>> {
  return call(gantry, 'PATCH /mail/mailbox/{id}', { path: { id }, body, ...options })
}

/** Delete one Mailbox */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /mail/mailbox/{id}'> = {}): Call<Answer<'DELETE /mail/mailbox/{id}'>> {
  return call(gantry, 'DELETE /mail/mailbox/{id}', { path: { id }, ...options })
}

/** Restore a deleted Mailbox */
export function restore(gantry: Gantry, id: string, options: Options<'POST /mail/mailbox/{id}/restore'> = {}): Call<Answer<'POST /mail/mailbox/{id}/restore'>> {
  return call(gantry, 'POST /mail/mailbox/{id}/restore', { path: { id }, ...options })
}

/** History of a Mailbox */
export function history(gantry: Gantry, id: string, options: Options<'GET /mail/mailbox/{id}/history'> = {}): Call<Answer<'GET /mail/mailbox/{id}/history'>> {
  return call(gantry, 'GET /mail/mailbox/{id}/history', { path: { id }, ...options })
}

/** Check one Mailbox */
export function check(gantry: Gantry, id: string, options: Options<'GET /mail/mailbox/{id}/check'> = {}): Call<Answer<'GET /mail/mailbox/{id}/check'>> {
  return call(gantry, 'GET /mail/mailbox/{id}/check', { path: { id }, ...options })
}

/** Test a mailbox */
export function test(gantry: Gantry, id: string, options: Options<'POST /mail/mailbox/{id}/test'> = {}): Call<Answer<'POST /mail/mailbox/{id}/test'>> {
  return call(gantry, 'POST /mail/mailbox/{id}/test', { path: { id }, ...options })
}

/** Send a test mail */
export function sendTest(gantry: Gantry, id: string, options: Options<'POST /mail/mailbox/{id}/send-test'> = {}): Call<Answer<'POST /mail/mailbox/{id}/send-test'>> {
  return call(gantry, 'POST /mail/mailbox/{id}/send-test', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /mail/mailbox/{id}'>) => Body<'PATCH /mail/mailbox/{id}'>): Promise<Answer<'PATCH /mail/mailbox/{id}'>> {
  return changeRecord(gantry, 'GET /mail/mailbox/{id}', 'PATCH /mail/mailbox/{id}', { id }, compute)
}
