// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../types.ts'

/** Timesheet of a user */
export function userTimesheet(gantry: Gantry, body: Body<'POST /insight/report/user-timesheet'>, options: Options<'POST /insight/report/user-timesheet'> = {}): Call<Answer<'POST /insight/report/user-timesheet'>> {
  return call(gantry, 'POST /insight/report/user-timesheet', { body, ...options })
}
