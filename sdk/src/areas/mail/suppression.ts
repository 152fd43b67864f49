// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List MailSuppressions */
export function list(gantry: Gantry, query: Query<'GET /mail/suppression'> = {}): Pages<Listed<'GET /mail/suppression'>> {
  return pagesOf(gantry, 'GET /mail/suppression', { query })
}

/** Create one MailSuppression */
export function create(gantry: Gantry, body: Body<'POST /mail/suppression'>, options: Options<'POST /mail/suppression'> = {}): Call<Answer<'POST /mail/suppression'>> {
  return call(gantry, 'POST /mail/suppression', { body, ...options })
}

/** Get one MailSuppression */
export function get(gantry: Gantry, id: string, options: Options<'GET /mail/suppression/{id}'> = {}): Call<Answer<'GET /mail/suppression/{id}'>> {
  return call(gantry, 'GET /mail/suppression/{id}', { path: { id }, ...options })
}

/** Update one MailSuppression */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /mail/suppression/{id}'>, options: Options<'PATCH /mail/suppression/{id}'> = {}): Call<Answer<'PATCH /mail/suppression/{id}'>> {
  return call(gantry, 'PATCH /mail/suppression/{id}', { path: { id }, body, ...options })
}

/** Delete one MailSuppression */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /mail/suppression/{id}'> = {}): Call<Answer<'DELETE /mail/suppression/{id}'>> {
  return call(gantry, 'DELETE /mail/suppression/{id}', { path: { id }, ...options })
}

/** Restore a deleted MailSuppression */
export function restore(gantry: Gantry, id: string, options: Options<'POST /mail/suppression/{id}/restore'> = {}): Call<Answer<'POST /mail/suppression/{id}/restore'>> {
  return call(gantry, 'POST /mail/suppression/{id}/restore', { path: { id }, ...options })
}

/** History of a MailSuppression */
export function history(gantry: Gantry, id: string, options: Options<'GET /mail/suppression/{id}/history'> = {}): Call<Answer<'GET /mail/suppression/{id}/history'>> {
  return call(gantry, 'GET /mail/suppression/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /mail/suppression/{id}'>) => Body<'PATCH /mail/suppression/{id}'>): Promise<Answer<'PATCH /mail/suppression/{id}'>> {
  return changeRecord(gantry, 'GET /mail/suppression/{id}', 'PATCH /mail/suppression/{id}', { id }, compute)
}
