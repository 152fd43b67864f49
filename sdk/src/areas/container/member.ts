// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../types.ts'

/** List the members of a container */
export function list(gantry: Gantry, id: string, options: Options<'GET /container/{id}/member'> = {}): Call<Answer<'GET /container/{id}/member'>> {
  return call(gantry, 'GET /container/{id}/member', { path: { id }, ...options })
}

/** Give a user or a group a role on a container */
export function set(gantry: Gantry, id: string, body: Body<'PUT /container/{id}/member'>, options: Options<'PUT /container/{id}/member'> = {}): Call<Answer<'PUT /container/{id}/member'>> {
  return call(gantry, 'PUT /container/{id}/member', { path: { id }, body, ...options })
}

/** Remove a member from a container */
export function remove(gantry: Gantry, id: string, userId: string, options: Options<'DELETE /container/{id}/member/{userId}'> = {}): Call<Answer<'DELETE /container/{id}/member/{userId}'>> {
  return call(gantry, 'DELETE /container/{id}/member/{userId}', { path: { id, userId }, ...options })
}
