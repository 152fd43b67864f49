// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../types.ts'

/** Get the general mail settings */
export function get(gantry: Gantry, options: Options<'GET /mail/general'> = {}): Call<Answer<'GET /mail/general'>> {
  return call(gantry, 'GET /mail/general', { ...options })
}

/** Set the general mail settings */
export function update(gantry: Gantry, body: Body<'PATCH /mail/general'>, options: Options<'PATCH /mail/general'> = {}): Call<Answer<'PATCH /mail/general'>> {
  return call(gantry, 'PATCH /mail/general', { body, ...options })
}

/** Check the general mail settings */
export function check(gantry: Gantry, options: Options<'GET /mail/general/check'> = {}): Call<Answer<'GET /mail/general/check'>> {
  return call(gantry, 'GET /mail/general/check', { ...options })
}

/** History of the general mail settings */
export function history(gantry: Gantry, options: Options<'GET /mail/general/history'> = {}): Call<Answer<'GET /mail/general/history'>> {
  return call(gantry, 'GET /mail/general/history', { ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, compute: (current: Answer<'GET /mail/general'>) => Body<'PATCH /mail/general'>): Promise<Answer<'PATCH /mail/general'>> {
  return changeRecord(gantry, 'GET /mail/general', 'PATCH /mail/general', {  }, compute)
}
