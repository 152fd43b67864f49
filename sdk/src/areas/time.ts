// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** Get the last closed day */
export function close(gantry: Gantry, options: Options<'GET /time/close'> = {}): Call<Answer<'GET /time/close'>> {
  return call(gantry, 'GET /time/close', { ...options })
}

/** Close time up to a day */
export function createClose(gantry: Gantry, body: Body<'POST /time/close'>, options: Options<'POST /time/close'> = {}): Call<Answer<'POST /time/close'>> {
  return call(gantry, 'POST /time/close', { body, ...options })
}

/** History of the last closed day */
export function closeHistory(gantry: Gantry, options: Options<'GET /time/close/history'> = {}): Call<Answer<'GET /time/close/history'>> {
  return call(gantry, 'GET /time/close/history', { ...options })
}

/** Correct a closed Time */
export function correct(gantry: Gantry, id: string, body: Body<'POST /time/{id}/correct'>, options: Options<'POST /time/{id}/correct'> = {}): Call<Answer<'POST /time/{id}/correct'>> {
  return call(gantry, 'POST /time/{id}/correct', { path: { id }, body, ...options })
}

/** Create many Times */
export function bulk(gantry: Gantry, body: Body<'POST /time/bulk'>, options: Options<'POST /time/bulk'> = {}): Call<Answer<'POST /time/bulk'>> {
  return call(gantry, 'POST /time/bulk', { body, ...options })
}

/** Change many Times */
export function updateMany(gantry: Gantry, body: Body<'PATCH /time'>, options: Options<'PATCH /time'> = {}): Call<Answer<'PATCH /time'>> {
  return call(gantry, 'PATCH /time', { body, ...options })
}

/** Delete many Times */
export function removeMany(gantry: Gantry, options: Options<'DELETE /time'> = {}): Call<Answer<'DELETE /time'>> {
  return call(gantry, 'DELETE /time', { ...options })
}

/** List Times */
export function list(gantry: Gantry, query: Query<'GET /time'> = {}): Pages<Listed<'GET /time'>> {
  return pagesOf(gantry, 'GET /time', { query })
}

/** Create one Time */
export function create(gantry: Gantry, body: Body<'POST /time'>, options: Options<'POST /time'> = {}): Call<Answer<'POST /time'>> {
  return call(gantry, 'POST /time', { body, ...options })
}

/** Get one Time */
export function get(gantry: Gantry, id: string, options: Options<'GET /time/{id}'> = {}): Call<Answer<'GET /time/{id}'>> {
  return call(gantry, 'GET /time/{id}', { path: { id }, ...options })
}

/** Update one Time */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /time/{id}'>, options: Options<'PATCH /time/{id}'> = {}): Call<Answer<'PATCH /time/{id}'>> {
  return call(gantry, 'PATCH /time/{id}', { path: { id }, body, ...options })
}

/** Delete one Time */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /time/{id}'> = {}): Call<Answer<'DELETE /time/{id}'>> {
  return call(gantry, 'DELETE /time/{id}', { path: { id }, ...options })
}

/** Restore a deleted Time */
export function restore(gantry: Gantry, id: string, options: Options<'POST /time/{id}/restore'> = {}): Call<Answer<'POST /time/{id}/restore'>> {
  return call(gantry, 'POST /time/{id}/restore', { path: { id }, ...options })
}

/** History of a Time */
export function history(gantry: Gantry, id: string, options: Options<'GET /time/{id}/history'> = {}): Call<Answer<'GET /time/{id}/history'>> {
  return call(gantry, 'GET /time/{id}/history', { path: { id }, ...options })
}

/** The running timer of the caller */
export function timer(gantry: Gantry, options: Options<'GET /time/timer'> = {}): Call<Answer<'GET /time/timer'>> {
  return call(gantry, 'GET /time/timer', { ...options })
}

/** Change the running timer */
export function updateTimer(gantry: Gantry, body: Body<'PATCH /time/timer'>, options: Options<'PATCH /time/timer'> = {}): Call<Answer<'PATCH /time/timer'>> {
  return call(gantry, 'PATCH /time/timer', { body, ...options })
}

/** Discard the timer */
export function removeTimer(gantry: Gantry, options: Options<'DELETE /time/timer'> = {}): Call<Answer<'DELETE /time/timer'>> {
  return call(gantry, 'DELETE /time/timer', { ...options })
}

/** Start the timer */
export function timerStart(gantry: Gantry, body: Body<'POST /time/timer/start'>, options: Options<'POST /time/timer/start'> = {}): Call<Answer<'POST /time/timer/start'>> {
  return call(gantry, 'POST /time/timer/start', { body, ...options })
}

/** Stop the timer and start another */
export function timerSwitch(gantry: Gantry, body: Body<'POST /time/timer/switch'>, options: Options<'POST /time/timer/switch'> = {}): Call<Answer<'POST /time/timer/switch'>> {
  return call(gantry, 'POST /time/timer/switch', { body, ...options })
}

/** Stop the timer */
export function timerStop(gantry: Gantry, body: Body<'POST /time/timer/stop'>, options: Options<'POST /time/timer/stop'> = {}): Call<Answer<'POST /time/timer/stop'>> {
  return call(gantry, 'POST /time/timer/stop', { body, ...options })
}

/** Price entries again */
export function reprice(gantry: Gantry, body: Body<'POST /time/reprice'>, options: Options<'POST /time/reprice'> = {}): Call<Answer<'POST /time/reprice'>> {
  return call(gantry, 'POST /time/reprice', { body, ...options })
}

/** The week of a user */
export function week(gantry: Gantry, date: string, options: Options<'GET /time/week/{date}'> = {}): Call<Answer<'GET /time/week/{date}'>> {
  return call(gantry, 'GET /time/week/{date}', { path: { date }, ...options })
}

/** Save cells of a week */
export function setWeek(gantry: Gantry, date: string, body: Body<'PUT /time/week/{date}'>, options: Options<'PUT /time/week/{date}'> = {}): Call<Answer<'PUT /time/week/{date}'>> {
  return call(gantry, 'PUT /time/week/{date}', { path: { date }, body, ...options })
}

/** Time that the caller may want to book */
export function suggest(gantry: Gantry, options: Options<'GET /time/suggest'> = {}): Call<Answer<'GET /time/suggest'>> {
  return call(gantry, 'GET /time/suggest', { ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /time/{id}'>) => Body<'PATCH /time/{id}'>): Promise<Answer<'PATCH /time/{id}'>> {
  return changeRecord(gantry, 'GET /time/{id}', 'PATCH /time/{id}', { id }, compute)
}
