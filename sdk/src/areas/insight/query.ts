// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../types.ts'

/** Query records */
export function create(gantry: Gantry, body: Body<'POST /insight/query'>, options: Options<'POST /insight/query'> = {}): Call<Answer<'POST /insight/query'>> {
  return call(gantry, 'POST /insight/query', { body, ...options })
}
