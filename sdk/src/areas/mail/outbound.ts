// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, pagesOf } from '../../runtime.ts'
import type { Answer, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List OutboundMails */
export function list(gantry: Gantry, query: Query<'GET /mail/outbound'> = {}): Pages<Listed<'GET /mail/outbound'>> {
  return pagesOf(gantry, 'GET /mail/outbound', { query })
}

/** Check the DNS records of a sending domain */
export function dns(gantry: Gantry, options: Options<'GET /mail/outbound/dns'> = {}): Call<Answer<'GET /mail/outbound/dns'>> {
  return call(gantry, 'GET /mail/outbound/dns', { ...options })
}

/** Get one OutboundMail */
export function get(gantry: Gantry, id: string, options: Options<'GET /mail/outbound/{id}'> = {}): Call<Answer<'GET /mail/outbound/{id}'>> {
  return call(gantry, 'GET /mail/outbound/{id}', { path: { id }, ...options })
}

/** History of a OutboundMail */
export function history(gantry: Gantry, id: string, options: Options<'GET /mail/outbound/{id}/history'> = {}): Call<Answer<'GET /mail/outbound/{id}/history'>> {
  return call(gantry, 'GET /mail/outbound/{id}/history', { path: { id }, ...options })
}

/** Cancel a mail */
export function cancel(gantry: Gantry, id: string, options: Options<'POST /mail/outbound/{id}/cancel'> = {}): Call<Answer<'POST /mail/outbound/{id}/cancel'>> {
  return call(gantry, 'POST /mail/outbound/{id}/cancel', { path: { id }, ...options })
}

/** Send a mail again */
export function retry(gantry: Gantry, id: string, options: Options<'POST /mail/outbound/{id}/retry'> = {}): Call<Answer<'POST /mail/outbound/{id}/retry'>> {
  return call(gantry, 'POST /mail/outbound/{id}/retry', { path: { id }, ...options })
}
