// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../../types.ts'

/** Own dry runs */
export function list(gantry: Gantry, options: Options<'GET /rule/dry-run/job'> = {}): Call<Answer<'GET /rule/dry-run/job'>> {
  return call(gantry, 'GET /rule/dry-run/job', { ...options })
}

/** Begin a dry run over a period */
export function create(gantry: Gantry, body: Body<'POST /rule/dry-run/job'>, options: Options<'POST /rule/dry-run/job'> = {}): Call<Answer<'POST /rule/dry-run/job'>> {
  return call(gantry, 'POST /rule/dry-run/job', { body, ...options })
}

/** Progress of a dry run */
export function get(gantry: Gantry, id: string, options: Options<'GET /rule/dry-run/job/{id}'> = {}): Call<Answer<'GET /rule/dry-run/job/{id}'>> {
  return call(gantry, 'GET /rule/dry-run/job/{id}', { path: { id }, ...options })
}

/** Results of a dry run */
export function result(gantry: Gantry, id: string, options: Options<'GET /rule/dry-run/job/{id}/result'> = {}): Call<Answer<'GET /rule/dry-run/job/{id}/result'>> {
  return call(gantry, 'GET /rule/dry-run/job/{id}/result', { path: { id }, ...options })
}

/** Cancel a dry run */
export function cancel(gantry: Gantry, id: string, options: Options<'POST /rule/dry-run/job/{id}/cancel'> = {}): Call<Answer<'POST /rule/dry-run/job/{id}/cancel'>> {
  return call(gantry, 'POST /rule/dry-run/job/{id}/cancel', { path: { id }, ...options })
}
