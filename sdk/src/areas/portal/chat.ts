// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../types.ts'

/** Begin a chat as a visitor */
export function create(gantry: Gantry, slug: string, body: Body<'POST /portal/{slug}/chat'>, options: Options<'POST /portal/{slug}/chat'> = {}): Call<Answer<'POST /portal/{slug}/chat'>> {
  return call(gantry, 'POST /portal/{slug}/chat', { path: { slug }, body, ...options })
}

/** Read a chat as a visitor */
export function get(gantry: Gantry, slug: string, token: string, options: Options<'GET /portal/{slug}/chat/{token}'> = {}): Call<Answer<'GET /portal/{slug}/chat/{token}'>> {
  return call(gantry, 'GET /portal/{slug}/chat/{token}', { path: { slug, token }, ...options })
}

/** Write in a chat as a visitor */
export function message(gantry: Gantry, slug: string, token: string, body: Body<'POST /portal/{slug}/chat/{token}/message'>, options: Options<'POST /portal/{slug}/chat/{token}/message'> = {}): Call<Answer<'POST /portal/{slug}/chat/{token}/message'>> {
  return call(gantry, 'POST /portal/{slug}/chat/{token}/message', { path: { slug, token }, body, ...options })
}

/** Leave a chat as a visitor */
export function leave(gantry: Gantry, slug: string, token: string, body: Body<'POST /portal/{slug}/chat/{token}/leave'>, options: Options<'POST /portal/{slug}/chat/{token}/leave'> = {}): Call<Answer<'POST /portal/{slug}/chat/{token}/leave'>> {
  return call(gantry, 'POST /portal/{slug}/chat/{token}/leave', { path: { slug, token }, body, ...options })
}
