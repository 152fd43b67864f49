// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, responseOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../types.ts'

/** Follow a ticket by a link */
export function get(gantry: Gantry, token: string, options: Options<'GET /guest/{token}'> = {}): Call<Answer<'GET /guest/{token}'>> {
  return call(gantry, 'GET /guest/{token}', { path: { token }, ...options })
}

/** Download a file by a link */
export function file(gantry: Gantry, token: string, fileId: string, options: Options<'GET /guest/{token}/file/{fileId}'> = {}): Promise<Response> {
  return responseOf(gantry, 'GET /guest/{token}/file/{fileId}', { path: { token, fileId }, ...options })
}

/** Write a message by a link */
export function message(gantry: Gantry, token: string, body: Body<'POST /guest/{token}/message'>, options: Options<'POST /guest/{token}/message'> = {}): Call<Answer<'POST /guest/{token}/message'>> {
  return call(gantry, 'POST /guest/{token}/message', { path: { token }, body, ...options })
}

/** Close a ticket by a link */
export function close(gantry: Gantry, token: string, options: Options<'POST /guest/{token}/close'> = {}): Call<Answer<'POST /guest/{token}/close'>> {
  return call(gantry, 'POST /guest/{token}/close', { path: { token }, ...options })
}

/** Reopen a ticket by a link */
export function reopen(gantry: Gantry, token: string, options: Options<'POST /guest/{token}/reopen'> = {}): Call<Answer<'POST /guest/{token}/reopen'>> {
  return call(gantry, 'POST /guest/{token}/reopen', { path: { token }, ...options })
}

/** Rate a ticket by a link */
export function csat(gantry: Gantry, token: string, body: Body<'POST /guest/{token}/csat'>, options: Options<'POST /guest/{token}/csat'> = {}): Call<Answer<'POST /guest/{token}/csat'>> {
  return call(gantry, 'POST /guest/{token}/csat', { path: { token }, body, ...options })
}
