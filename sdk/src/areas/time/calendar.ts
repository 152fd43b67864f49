// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List TimeCalendars */
export function list(gantry: Gantry, query: Query<'GET /time/calendar'> = {}): Pages<Listed<'GET /time/calendar'>> {
  return pagesOf(gantry, 'GET /time/calendar', { query })
}

/** Create one TimeCalendar */
export function create(gantry: Gantry, body: Body<'POST /time/calendar'>, options: Options<'POST /time/calendar'> = {}): Call<Answer<'POST /time/calendar'>> {
  return call(gantry, 'POST /time/calendar', { body, ...options })
}

/** Get one TimeCalendar */
export function get(gantry: Gantry, id: string, options: Options<'GET /time/calendar/{id}'> = {}): Call<Answer<'GET /time/calendar/{id}'>> {
  return call(gantry, 'GET /time/calendar/{id}', { path: { id }, ...options })
}

/** Update one TimeCalendar */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /time/calendar/{id}'>, options: Options<'PATCH /time/calendar/{id}'> = {}): Call<Answer<'PATCH /time/calendar/{id}'>> {
  return call(gantry, 'PATCH /time/calendar/{id}', { path: { id }, body, ...options })
}

/** Delete one TimeCalendar */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /time/calendar/{id}'> = {}): Call<Answer<'DELETE /time/calendar/{id}'>> {
  return call(gantry, 'DELETE /time/calendar/{id}', { path: { id }, ...options })
}

/** Restore a deleted TimeCalendar */
export function restore(gantry: Gantry, id: string, options: Options<'POST /time/calendar/{id}/restore'> = {}): Call<Answer<'POST /time/calendar/{id}/restore'>> {
  return call(gantry, 'POST /time/calendar/{id}/restore', { path: { id }, ...options })
}

/** History of a TimeCalendar */
export function history(gantry: Gantry, id: string, options: Options<'GET /time/calendar/{id}/history'> = {}): Call<Answer<'GET /time/calendar/{id}/history'>> {
  return call(gantry, 'GET /time/calendar/{id}/history', { path: { id }, ...options })
}

/** Check one TimeCalendar */
export function check(gantry: Gantry, id: string, options: Options<'GET /time/calendar/{id}/check'> = {}): Call<Answer<'GET /time/calendar/{id}/check'>> {
  return call(gantry, 'GET /time/calendar/{id}/check', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /time/calendar/{id}'>) => Body<'PATCH /time/calendar/{id}'>): Promise<Answer<'PATCH /time/calendar/{id}'>> {
  return changeRecord(gantry, 'GET /time/calendar/{id}', 'PATCH /time/calendar/{id}', { id }, compute)
}
