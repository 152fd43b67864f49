// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../types.ts'

/** Suggest articles for a request */
export function suggest(gantry: Gantry, body: Body<'POST /docs/article/suggest'>, options: Options<'POST /docs/article/suggest'> = {}): Call<Answer<'POST /docs/article/suggest'>> {
  return call(gantry, 'POST /docs/article/suggest', { body, ...options })
}

/** Say that an article was opened, or whether it helped */
export function reading(gantry: Gantry, id: string, body: Body<'POST /docs/article/{id}/reading'>, options: Options<'POST /docs/article/{id}/reading'> = {}): Call<Answer<'POST /docs/article/{id}/reading'>> {
  return call(gantry, 'POST /docs/article/{id}/reading', { path: { id }, body, ...options })
}
