// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../runtime.ts'
import type { Answer, Call, Gantry, Options } from '../types.ts'

/** List the sessions of the caller */
export function all(gantry: Gantry, options: Options<'GET /session/all'> = {}): Call<Answer<'GET /session/all'>> {
  return call(gantry, 'GET /session/all', { ...options })
}

/** End a session of the caller */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /session/{id}'> = {}): Call<Answer<'DELETE /session/{id}'>> {
  return call(gantry, 'DELETE /session/{id}', { path: { id }, ...options })
}

/** Get what the web app needs to start */
export function get(gantry: Gantry, options: Options<'GET /session'> = {}): Call<Answer<'GET /session'>> {
  return call(gantry, 'GET /session', { ...options })
}
