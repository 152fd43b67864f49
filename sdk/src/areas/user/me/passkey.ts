// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../../types.ts'

/** List the passkeys of the caller */
export function list(gantry: Gantry, options: Options<'GET /user/me/passkey'> = {}): Call<Answer<'GET /user/me/passkey'>> {
  return call(gantry, 'GET /user/me/passkey', { ...options })
}

/** Add a passkey */
export function create(gantry: Gantry, body: Body<'POST /user/me/passkey'>, options: Options<'POST /user/me/passkey'> = {}): Call<Answer<'POST /user/me/passkey'>> {
  return call(gantry, 'POST /user/me/passkey', { body, ...options })
}

/** Begin to add a passkey */
export function options(gantry: Gantry, body: Body<'POST /user/me/passkey/options'>, options: Options<'POST /user/me/passkey/options'> = {}): Call<Answer<'POST /user/me/passkey/options'>> {
  return call(gantry, 'POST /user/me/passkey/options', { body, ...options })
}

/** Remove a passkey of the caller */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /user/me/passkey/{id}'> = {}): Call<Answer<'DELETE /user/me/passkey/{id}'>> {
  return call(gantry, 'DELETE /user/me/passkey/{id}', { path: { id }, ...options })
}
