// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../types.ts'

/** Run several operations, all or none */
export function create(gantry: Gantry, body: Body<'POST /batch'>, options: Options<'POST /batch'> = {}): Call<Answer<'POST /batch'>> {
  return call(gantry, 'POST /batch', { body, ...options })
}
