// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../types.ts'

/** Timesheet of a user */
export function userTimesheet(gantry: Gantry, body: Body<'POST /insight/report/user-timesheet'>, options: Options<'POST /insight/report/user-timesheet'> = {}): Call<Answer<'POST /insight/report/user-timesheet'>> {
  return call(gantry, 'POST /insight/report/user-timesheet', { body, ...options })
}

/** Report: lead time */
export function leadTime(gantry: Gantry, body: Body<'POST /insight/report/lead-time'>, options: Options<'POST /insight/report/lead-time'> = {}): Call<Answer<'POST /insight/report/lead-time'>> {
  return call(gantry, 'POST /insight/report/lead-time', { body, ...options })
}

/** Report: cycle time */
export function cycleTime(gantry: Gantry, body: Body<'POST /insight/report/cycle-time'>, options: Options<'POST /insight/report/cycle-time'> = {}): Call<Answer<'POST /insight/report/cycle-time'>> {
  return call(gantry, 'POST /insight/report/cycle-time', { body, ...options })
}

/** Report: time in status */
export function timeInStatus(gantry: Gantry, body: Body<'POST /insight/report/time-in-status'>, options: Options<'POST /insight/report/time-in-status'> = {}): Call<Answer<'POST /insight/report/time-in-status'>> {
  return call(gantry, 'POST /insight/report/time-in-status', { body, ...options })
}

/** Report: cumulative flow */
export function cumulativeFlow(gantry: Gantry, body: Body<'POST /insight/report/cumulative-flow'>, options: Options<'POST /insight/report/cumulative-flow'> = {}): Call<Answer<'POST /insight/report/cumulative-flow'>> {
  return call(gantry, 'POST /insight/report/cumulative-flow', { body, ...options })
}

/** Report: burn */
export function burn(gantry: Gantry, body: Body<'POST /insight/report/burn'>, options: Options<'POST /insight/report/burn'> = {}): Call<Answer<'POST /insight/report/burn'>> {
  return call(gantry, 'POST /insight/report/burn', { body, ...options })
}

/** Report: backlog age */
export function backlogAge(gantry: Gantry, body: Body<'POST /insight/report/backlog-age'>, options: Options<'POST /insight/report/backlog-age'> = {}): Call<Answer<'POST /insight/report/backlog-age'>> {
  return call(gantry, 'POST /insight/report/backlog-age', { body, ...options })
}

/** Report: sla attainment */
export function slaAttainment(gantry: Gantry, body: Body<'POST /insight/report/sla-attainment'>, options: Options<'POST /insight/report/sla-attainment'> = {}): Call<Answer<'POST /insight/report/sla-attainment'>> {
  return call(gantry, 'POST /insight/report/sla-attainment', { body, ...options })
}

/** Report: first response */
export function firstResponse(gantry: Gantry, body: Body<'POST /insight/report/first-response'>, options: Options<'POST /insight/report/first-response'> = {}): Call<Answer<'POST /insight/report/first-response'>> {
  return call(gantry, 'POST /insight/report/first-response', { body, ...options })
}

/** Report: satisfaction */
export function satisfaction(gantry: Gantry, body: Body<'POST /insight/report/satisfaction'>, options: Options<'POST /insight/report/satisfaction'> = {}): Call<Answer<'POST /insight/report/satisfaction'>> {
  return call(gantry, 'POST /insight/report/satisfaction', { body, ...options })
}

/** Report: knowledge */
export function knowledge(gantry: Gantry, body: Body<'POST /insight/report/knowledge'>, options: Options<'POST /insight/report/knowledge'> = {}): Call<Answer<'POST /insight/report/knowledge'>> {
  return call(gantry, 'POST /insight/report/knowledge', { body, ...options })
}

/** Report: team timesheet */
export function teamTimesheet(gantry: Gantry, body: Body<'POST /insight/report/team-timesheet'>, options: Options<'POST /insight/report/team-timesheet'> = {}): Call<Answer<'POST /insight/report/team-timesheet'>> {
  return call(gantry, 'POST /insight/report/team-timesheet', { body, ...options })
}

/** Report: utilisation */
export function utilisation(gantry: Gantry, body: Body<'POST /insight/report/utilisation'>, options: Options<'POST /insight/report/utilisation'> = {}): Call<Answer<'POST /insight/report/utilisation'>> {
  return call(gantry, 'POST /insight/report/utilisation', { body, ...options })
}

/** Report: workload */
export function workload(gantry: Gantry, body: Body<'POST /insight/report/workload'>, options: Options<'POST /insight/report/workload'> = {}): Call<Answer<'POST /insight/report/workload'>> {
  return call(gantry, 'POST /insight/report/workload', { body, ...options })
}

/** Report: plan versus actual */
export function planVersusActual(gantry: Gantry, body: Body<'POST /insight/report/plan-versus-actual'>, options: Options<'POST /insight/report/plan-versus-actual'> = {}): Call<Answer<'POST /insight/report/plan-versus-actual'>> {
  return call(gantry, 'POST /insight/report/plan-versus-actual', { body, ...options })
}

/** Report: realisation */
export function realisation(gantry: Gantry, body: Body<'POST /insight/report/realisation'>, options: Options<'POST /insight/report/realisation'> = {}): Call<Answer<'POST /insight/report/realisation'>> {
  return call(gantry, 'POST /insight/report/realisation', { body, ...options })
}

/** Report: profitability */
export function profitability(gantry: Gantry, body: Body<'POST /insight/report/profitability'>, options: Options<'POST /insight/report/profitability'> = {}): Call<Answer<'POST /insight/report/profitability'>> {
  return call(gantry, 'POST /insight/report/profitability', { body, ...options })
}

/** Report: budget */
export function budget(gantry: Gantry, body: Body<'POST /insight/report/budget'>, options: Options<'POST /insight/report/budget'> = {}): Call<Answer<'POST /insight/report/budget'>> {
  return call(gantry, 'POST /insight/report/budget', { body, ...options })
}

/** Report: cost centers */
export function costCenters(gantry: Gantry, body: Body<'POST /insight/report/cost-centers'>, options: Options<'POST /insight/report/cost-centers'> = {}): Call<Answer<'POST /insight/report/cost-centers'>> {
  return call(gantry, 'POST /insight/report/cost-centers', { body, ...options })
}

/** Report: audit */
export function audit(gantry: Gantry, body: Body<'POST /insight/report/audit'>, options: Options<'POST /insight/report/audit'> = {}): Call<Answer<'POST /insight/report/audit'>> {
  return call(gantry, 'POST /insight/report/audit', { body, ...options })
}
