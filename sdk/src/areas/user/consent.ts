// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../runtime.ts'
import type { Answer, Call, Gantry, Options } from '../../types.ts'

/** List the consents of a user */
export function list(gantry: Gantry, id: string, options: Options<'GET /user/{id}/consent'> = {}): Call<Answer<'GET /user/{id}/consent'>> {
  return call(gantry, 'GET /user/{id}/consent', { path: { id }, ...options })
}

/** Take a consent of a user back */
export function remove(gantry: Gantry, id: string, consentId: string, options: Options<'DELETE /user/{id}/consent/{consentId}'> = {}): Call<Answer<'DELETE /user/{id}/consent/{consentId}'>> {
  return call(gantry, 'DELETE /user/{id}/consent/{consentId}', { path: { id, consentId }, ...options })
}
