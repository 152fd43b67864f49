// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { responseOf } from '../../runtime.ts'
import type { Gantry, Options } from '../../types.ts'

/** Show the page for unsubscribing */
export function get(gantry: Gantry, token: string, options: Options<'GET /mail/unsubscribe/{token}'> = {}): Promise<Response> {
  return responseOf(gantry, 'GET /mail/unsubscribe/{token}', { path: { token }, ...options })
}

/** Unsubscribe with one click (RFC 8058) */
export function create(gantry: Gantry, token: string, options: Options<'POST /mail/unsubscribe/{token}'> = {}): Promise<Response> {
  return responseOf(gantry, 'POST /mail/unsubscribe/{token}', { path: { token }, ...options })
}
