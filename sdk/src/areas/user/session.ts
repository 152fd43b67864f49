// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../runtime.ts'
import type { Answer, Call, Gantry, Options } from '../../types.ts'

/** List the sessions of a user */
export function list(gantry: Gantry, id: string, options: Options<'GET /user/{id}/session'> = {}): Call<Answer<'GET /user/{id}/session'>> {
  return call(gantry, 'GET /user/{id}/session', { path: { id }, ...options })
}

/** End the sessions of a user */
export function removeAll(gantry: Gantry, id: string, options: Options<'DELETE /user/{id}/session'> = {}): Call<Answer<'DELETE /user/{id}/session'>> {
  return call(gantry, 'DELETE /user/{id}/session', { path: { id }, ...options })
}

/** End a session of a user */
export function remove(gantry: Gantry, id: string, sessionId: string, options: Options<'DELETE /user/{id}/session/{sessionId}'> = {}): Call<Answer<'DELETE /user/{id}/session/{sessionId}'>> {
  return call(gantry, 'DELETE /user/{id}/session/{sessionId}', { path: { id, sessionId }, ...options })
}
