// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** Schedule items */
export function schedule(gantry: Gantry, body: Body<'POST /plan/schedule'>, options: Options<'POST /plan/schedule'> = {}): Call<Answer<'POST /plan/schedule'>> {
  return call(gantry, 'POST /plan/schedule', { body, ...options })
}

/** Sum up containers */
export function portfolio(gantry: Gantry, options: Options<'GET /plan/portfolio'> = {}): Call<Answer<'GET /plan/portfolio'>> {
  return call(gantry, 'GET /plan/portfolio', { ...options })
}

/** List Plans */
export function list(gantry: Gantry, query: Query<'GET /plan'> = {}): Pages<Listed<'GET /plan'>> {
  return pagesOf(gantry, 'GET /plan', { query })
}

/** Create one Plan */
export function create(gantry: Gantry, body: Body<'POST /plan'>, options: Options<'POST /plan'> = {}): Call<Answer<'POST /plan'>> {
  return call(gantry, 'POST /plan', { body, ...options })
}

/** Compare capacity, plan and booked time */
export function load(gantry: Gantry, options: Options<'GET /plan/load'> = {}): Call<Answer<'GET /plan/load'>> {
  return call(gantry, 'GET /plan/load', { ...options })
}

/** List the people who are free */
export function free(gantry: Gantry, options: Options<'GET /plan/free'> = {}): Call<Answer<'GET /plan/free'>> {
  return call(gantry, 'GET /plan/free', { ...options })
}

/** Get one Plan */
export function get(gantry: Gantry, id: string, options: Options<'GET /plan/{id}'> = {}): Call<Answer<'GET /plan/{id}'>> {
  return call(gantry, 'GET /plan/{id}', { path: { id }, ...options })
}

/** Update one Plan */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /plan/{id}'>, options: Options<'PATCH /plan/{id}'> = {}): Call<Answer<'PATCH /plan/{id}'>> {
  return call(gantry, 'PATCH /plan/{id}', { path: { id }, body, ...options })
}

/** Delete one Plan */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /plan/{id}'> = {}): Call<Answer<'DELETE /plan/{id}'>> {
  return call(gantry, 'DELETE /plan/{id}', { path: { id }, ...options })
}

/** Restore a deleted Plan */
export function restore(gantry: Gantry, id: string, options: Options<'POST /plan/{id}/restore'> = {}): Call<Answer<'POST /plan/{id}/restore'>> {
  return call(gantry, 'POST /plan/{id}/restore', { path: { id }, ...options })
}

/** Assign planned work to a user */
export function assign(gantry: Gantry, id: string, body: Body<'POST /plan/{id}/assign'>, options: Options<'POST /plan/{id}/assign'> = {}): Call<Answer<'POST /plan/{id}/assign'>> {
  return call(gantry, 'POST /plan/{id}/assign', { path: { id }, body, ...options })
}

/** History of a Plan */
export function history(gantry: Gantry, id: string, options: Options<'GET /plan/{id}/history'> = {}): Call<Answer<'GET /plan/{id}/history'>> {
  return call(gantry, 'GET /plan/{id}/history', { path: { id }, ...options })
}

/** Check one Plan */
export function check(gantry: Gantry, id: string, options: Options<'GET /plan/{id}/check'> = {}): Call<Answer<'GET /plan/{id}/check'>> {
  return call(gantry, 'GET /plan/{id}/check', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /plan/{id}'>) => Body<'PATCH /plan/{id}'>): Promise<Answer<'PATCH /plan/{id}'>> {
  return changeRecord(gantry, 'GET /plan/{id}', 'PATCH /plan/{id}', { id }, compute)
}
