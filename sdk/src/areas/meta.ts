// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../runtime.ts'
import type { Answer, Call, Gantry, Options } from '../types.ts'

/** List the code tables */
export function codes(gantry: Gantry, options: Options<'GET /meta/codes'> = {}): Call<Answer<'GET /meta/codes'>> {
  return call(gantry, 'GET /meta/codes', { ...options })
}

/** List the kinds of events */
export function events(gantry: Gantry, options: Options<'GET /meta/events'> = {}): Call<Answer<'GET /meta/events'>> {
  return call(gantry, 'GET /meta/events', { ...options })
}

/** Get the schemas of a kind of record */
export function entity(gantry: Gantry, name: string, options: Options<'GET /meta/entity/{name}'> = {}): Call<Answer<'GET /meta/entity/{name}'>> {
  return call(gantry, 'GET /meta/entity/{name}', { path: { name }, ...options })
}

/** Get the changelog */
export function changelog(gantry: Gantry, options: Options<'GET /meta/changelog'> = {}): Call<Answer<'GET /meta/changelog'>> {
  return call(gantry, 'GET /meta/changelog', { ...options })
}

/** Describe this service */
export function get(gantry: Gantry, options: Options<'GET /meta'> = {}): Call<Answer<'GET /meta'>> {
  return call(gantry, 'GET /meta', { ...options })
}

/** Get the limits of the service */
export function limits(gantry: Gantry, options: Options<'GET /meta/limits'> = {}): Call<Answer<'GET /meta/limits'>> {
  return call(gantry, 'GET /meta/limits', { ...options })
}
