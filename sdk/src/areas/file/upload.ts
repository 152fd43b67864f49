// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../types.ts'

/** Show what uploads support */
export function options(gantry: Gantry, options: Options<'OPTIONS /file/upload'> = {}): Call<Answer<'OPTIONS /file/upload'>> {
  return call(gantry, 'OPTIONS /file/upload', { ...options })
}

/** Begin an upload */
export function create(gantry: Gantry, body: Body<'POST /file/upload'>, options: Options<'POST /file/upload'> = {}): Call<Answer<'POST /file/upload'>> {
  return call(gantry, 'POST /file/upload', { body, ...options })
}

/** Show how far an upload is */
export function get(gantry: Gantry, id: string, options: Options<'GET /file/upload/{id}'> = {}): Call<Answer<'GET /file/upload/{id}'>> {
  return call(gantry, 'GET /file/upload/{id}', { path: { id }, ...options })
}

/** Add bytes to an upload */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /file/upload/{id}'>, options: Options<'PATCH /file/upload/{id}'> = {}): Call<Answer<'PATCH /file/upload/{id}'>> {
  return call(gantry, 'PATCH /file/upload/{id}', { path: { id }, body, ...options })
}

/** End an upload */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /file/upload/{id}'> = {}): Call<Answer<'DELETE /file/upload/{id}'>> {
  return call(gantry, 'DELETE /file/upload/{id}', { path: { id }, ...options })
}
