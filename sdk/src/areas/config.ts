// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../types.ts'

/** Export the configuration */
export function exportAll(gantry: Gantry, options: Options<'GET /config/export'> = {}): Call<Answer<'GET /config/export'>> {
  return call(gantry, 'GET /config/export', { ...options })
}

/** Plan a configuration */
export function plan(gantry: Gantry, body: Body<'POST /config/plan'>, options: Options<'POST /config/plan'> = {}): Call<Answer<'POST /config/plan'>> {
  return call(gantry, 'POST /config/plan', { body, ...options })
}

/** Apply a configuration */
export function apply(gantry: Gantry, body: Body<'POST /config/apply'>, options: Options<'POST /config/apply'> = {}): Call<Answer<'POST /config/apply'>> {
  return call(gantry, 'POST /config/apply', { body, ...options })
}

/** Get the caller’s configuration */
export function me(gantry: Gantry, options: Options<'GET /config/me'> = {}): Call<Answer<'GET /config/me'>> {
  return call(gantry, 'GET /config/me', { ...options })
}

/** Get the public configuration of a tenant */
export function get(gantry: Gantry, options: Options<'GET /config'> = {}): Call<Answer<'GET /config'>> {
  return call(gantry, 'GET /config', { ...options })
}
