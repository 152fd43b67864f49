// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../../types.ts'

/** List the calendar feeds of the caller */
export function list(gantry: Gantry, options: Options<'GET /user/me/calendar-feed'> = {}): Call<Answer<'GET /user/me/calendar-feed'>> {
  return call(gantry, 'GET /user/me/calendar-feed', { ...options })
}

/** Create a calendar feed */
export function create(gantry: Gantry, body: Body<'POST /user/me/calendar-feed'>, options: Options<'POST /user/me/calendar-feed'> = {}): Call<Answer<'POST /user/me/calendar-feed'>> {
  return call(gantry, 'POST /user/me/calendar-feed', { body, ...options })
}

/** Revoke a calendar feed */
export function remove(gantry: Gantry, feedId: string, options: Options<'DELETE /user/me/calendar-feed/{feedId}'> = {}): Call<Answer<'DELETE /user/me/calendar-feed/{feedId}'>> {
  return call(gantry, 'DELETE /user/me/calendar-feed/{feedId}', { path: { feedId }, ...options })
}
