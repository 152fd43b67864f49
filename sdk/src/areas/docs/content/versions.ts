// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../../runtime.ts'
import type { Answer, Call, Gantry, Options } from '../../../types.ts'

/** List the versions of a document */
export function list(gantry: Gantry, docId: string, options: Options<'GET /docs/content/{docId}/versions'> = {}): Call<Answer<'GET /docs/content/{docId}/versions'>> {
  return call(gantry, 'GET /docs/content/{docId}/versions', { path: { docId }, ...options })
}

/** Get one version of a document */
export function get(gantry: Gantry, docId: string, version: string, options: Options<'GET /docs/content/{docId}/versions/{version}'> = {}): Call<Answer<'GET /docs/content/{docId}/versions/{version}'>> {
  return call(gantry, 'GET /docs/content/{docId}/versions/{version}', { path: { docId, version }, ...options })
}
