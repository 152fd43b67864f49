// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List Timesheets */
export function list(gantry: Gantry, query: Query<'GET /time/sheet'> = {}): Pages<Listed<'GET /time/sheet'>> {
  return pagesOf(gantry, 'GET /time/sheet', { query })
}

/** Get the Timesheet of a day */
export function day(gantry: Gantry, body: Body<'POST /time/sheet/day'>, options: Options<'POST /time/sheet/day'> = {}): Call<Answer<'POST /time/sheet/day'>> {
  return call(gantry, 'POST /time/sheet/day', { body, ...options })
}

/** Get one Timesheet */
export function get(gantry: Gantry, id: string, options: Options<'GET /time/sheet/{id}'> = {}): Call<Answer<'GET /time/sheet/{id}'>> {
  return call(gantry, 'GET /time/sheet/{id}', { path: { id }, ...options })
}

/** History of a Timesheet */
export function history(gantry: Gantry, id: string, options: Options<'GET /time/sheet/{id}/history'> = {}): Call<Answer<'GET /time/sheet/{id}/history'>> {
  return call(gantry, 'GET /time/sheet/{id}/history', { path: { id }, ...options })
}

/** Submit, approve, reject … many Timesheets */
export function bulk(gantry: Gantry, body: Body<'POST /time/sheet/bulk'>, options: Options<'POST /time/sheet/bulk'> = {}): Call<Answer<'POST /time/sheet/bulk'>> {
  return call(gantry, 'POST /time/sheet/bulk', { body, ...options })
}

/** Submit a Timesheet */
export function submit(gantry: Gantry, id: string, body: Body<'POST /time/sheet/{id}/submit'>, options: Options<'POST /time/sheet/{id}/submit'> = {}): Call<Answer<'POST /time/sheet/{id}/submit'>> {
  return call(gantry, 'POST /time/sheet/{id}/submit', { path: { id }, body, ...options })
}

/** Recall a submitted Timesheet */
export function recall(gantry: Gantry, id: string, options: Options<'POST /time/sheet/{id}/recall'> = {}): Call<Answer<'POST /time/sheet/{id}/recall'>> {
  return call(gantry, 'POST /time/sheet/{id}/recall', { path: { id }, ...options })
}

/** Approve a Timesheet, or parts of it */
export function approve(gantry: Gantry, id: string, body: Body<'POST /time/sheet/{id}/approve'>, options: Options<'POST /time/sheet/{id}/approve'> = {}): Call<Answer<'POST /time/sheet/{id}/approve'>> {
  return call(gantry, 'POST /time/sheet/{id}/approve', { path: { id }, body, ...options })
}

/** Reject a Timesheet, or parts of it */
export function reject(gantry: Gantry, id: string, body: Body<'POST /time/sheet/{id}/reject'>, options: Options<'POST /time/sheet/{id}/reject'> = {}): Call<Answer<'POST /time/sheet/{id}/reject'>> {
  return call(gantry, 'POST /time/sheet/{id}/reject', { path: { id }, body, ...options })
}

/** Reopen an approved Timesheet */
export function reopen(gantry: Gantry, id: string, body: Body<'POST /time/sheet/{id}/reopen'>, options: Options<'POST /time/sheet/{id}/reopen'> = {}): Call<Answer<'POST /time/sheet/{id}/reopen'>> {
  return call(gantry, 'POST /time/sheet/{id}/reopen', { path: { id }, body, ...options })
}

/** Lock an approved Timesheet */
export function lock(gantry: Gantry, id: string, options: Options<'POST /time/sheet/{id}/lock'> = {}): Call<Answer<'POST /time/sheet/{id}/lock'>> {
  return call(gantry, 'POST /time/sheet/{id}/lock', { path: { id }, ...options })
}

/** Unlock a Timesheet */
export function unlock(gantry: Gantry, id: string, body: Body<'POST /time/sheet/{id}/unlock'>, options: Options<'POST /time/sheet/{id}/unlock'> = {}): Call<Answer<'POST /time/sheet/{id}/unlock'>> {
  return call(gantry, 'POST /time/sheet/{id}/unlock', { path: { id }, body, ...options })
}
