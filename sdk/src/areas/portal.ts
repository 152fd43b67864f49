// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../runtime.ts'
import type { Answer, Call, Gantry, Options } from '../types.ts'

/** Get the portal of a tenant */
export function get(gantry: Gantry, slug: string, options: Options<'GET /portal/{slug}'> = {}): Call<Answer<'GET /portal/{slug}'>> {
  return call(gantry, 'GET /portal/{slug}', { path: { slug }, ...options })
}

/** Get a request form of a portal */
export function form(gantry: Gantry, slug: string, options: Options<'GET /portal/{slug}/form'> = {}): Call<Answer<'GET /portal/{slug}/form'>> {
  return call(gantry, 'GET /portal/{slug}/form', { path: { slug }, ...options })
}
