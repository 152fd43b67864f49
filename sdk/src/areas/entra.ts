// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../runtime.ts'
import type { Answer, Call, Gantry, Options } from '../types.ts'

/** List the identity providers of a tenant */
export function meta(gantry: Gantry, options: Options<'GET /entra/meta'> = {}): Call<Answer<'GET /entra/meta'>> {
  return call(gantry, 'GET /entra/meta', { ...options })
}
