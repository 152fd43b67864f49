// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, pagesOf, responseOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List MailMessages */
export function list(gantry: Gantry, query: Query<'GET /mail/message'> = {}): Pages<Listed<'GET /mail/message'>> {
  return pagesOf(gantry, 'GET /mail/message', { query })
}

/** Submit a message */
export function create(gantry: Gantry, body: Body<'POST /mail/message'>, options: Options<'POST /mail/message'> = {}): Call<Answer<'POST /mail/message'>> {
  return call(gantry, 'POST /mail/message', { body, ...options })
}

/** Get one MailMessage */
export function get(gantry: Gantry, id: string, options: Options<'GET /mail/message/{id}'> = {}): Call<Answer<'GET /mail/message/{id}'>> {
  return call(gantry, 'GET /mail/message/{id}', { path: { id }, ...options })
}

/** History of a MailMessage */
export function history(gantry: Gantry, id: string, options: Options<'GET /mail/message/{id}/history'> = {}): Call<Answer<'GET /mail/message/{id}/history'>> {
  return call(gantry, 'GET /mail/message/{id}/history', { path: { id }, ...options })
}

/** Download a message */
export function raw(gantry: Gantry, id: string, options: Options<'GET /mail/message/{id}/raw'> = {}): Promise<Response> {
  return responseOf(gantry, 'GET /mail/message/{id}/raw', { path: { id }, ...options })
}

/** Process a message again */
export function reprocess(gantry: Gantry, id: string, options: Options<'POST /mail/message/{id}/reprocess'> = {}): Call<Answer<'POST /mail/message/{id}/reprocess'>> {
  return call(gantry, 'POST /mail/message/{id}/reprocess', { path: { id }, ...options })
}

/** Release a message from quarantine */
export function release(gantry: Gantry, id: string, body: Body<'POST /mail/message/{id}/release'>, options: Options<'POST /mail/message/{id}/release'> = {}): Call<Answer<'POST /mail/message/{id}/release'>> {
  return call(gantry, 'POST /mail/message/{id}/release', { path: { id }, body, ...options })
}
