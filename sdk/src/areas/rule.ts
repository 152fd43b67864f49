// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Rules */
export function list(gantry: Gantry, query: Query<'GET /rule'> = {}): Pages<Listed<'GET /rule'>> {
  return pagesOf(gantry, 'GET /rule', { query })
}

/** Create one Rule */
export function create(gantry: Gantry, body: Body<'POST /rule'>, options: Options<'POST /rule'> = {}): Call<Answer<'POST /rule'>> {
  return call(gantry, 'POST /rule', { body, ...options })
}

/** Get one Rule */
export function get(gantry: Gantry, id: string, options: Options<'GET /rule/{id}'> = {}): Call<Answer<'GET /rule/{id}'>> {
  return call(gantry, 'GET /rule/{id}', { path: { id }, ...options })
}

/** Update one Rule */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /rule/{id}'>, options: Options<'PATCH /rule/{id}'> = {}): Call<Answer<'PATCH /rule/{id}'>> {
  return call(gantry, 'PATCH /rule/{id}', { path: { id }, body, ...options })
}

/** Delete one Rule */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /rule/{id}'> = {}): Call<Answer<'DELETE /rule/{id}'>> {
  return call(gantry, 'DELETE /rule/{id}', { path: { id }, ...options })
}

/** Restore a deleted Rule */
export function restore(gantry: Gantry, id: string, options: Options<'POST /rule/{id}/restore'> = {}): Call<Answer<'POST /rule/{id}/restore'>> {
  return call(gantry, 'POST /rule/{id}/restore', { path: { id }, ...options })
}

/** History of a Rule */
export function history(gantry: Gantry, id: string, options: Options<'GET /rule/{id}/history'> = {}): Call<Answer<'GET /rule/{id}/history'>> {
  return call(gantry, 'GET /rule/{id}/history', { path: { id }, ...options })
}

/** Check one Rule */
export function check(gantry: Gantry, id: string, options: Options<'GET /rule/{id}/check'> = {}): Call<Answer<'GET /rule/{id}/check'>> {
  return call(gantry, 'GET /rule/{id}/check', { path: { id }, ...options })
}

/** Log of a rule */
export function log(gantry: Gantry, id: string, options: Options<'GET /rule/{id}/log'> = {}): Call<Answer<'GET /rule/{id}/log'>> {
  return call(gantry, 'GET /rule/{id}/log', { path: { id }, ...options })
}

/** Log of all rules for an item */
export function fullLog(gantry: Gantry, options: Options<'GET /rule/log'> = {}): Call<Answer<'GET /rule/log'>> {
  return call(gantry, 'GET /rule/log', { ...options })
}

/** Run a rule on an item */
export function run(gantry: Gantry, id: string, body: Body<'POST /rule/{id}/run'>, options: Options<'POST /rule/{id}/run'> = {}): Call<Answer<'POST /rule/{id}/run'>> {
  return call(gantry, 'POST /rule/{id}/run', { path: { id }, body, ...options })
}

/** Create the secret for calls to a rule */
export function callSecret(gantry: Gantry, id: string, options: Options<'POST /rule/{id}/call-secret'> = {}): Call<Answer<'POST /rule/{id}/call-secret'>> {
  return call(gantry, 'POST /rule/{id}/call-secret', { path: { id }, ...options })
}

/** Create the signing secret of a rule */
export function signingSecret(gantry: Gantry, id: string, options: Options<'POST /rule/{id}/signing-secret'> = {}): Call<Answer<'POST /rule/{id}/signing-secret'>> {
  return call(gantry, 'POST /rule/{id}/signing-secret', { path: { id }, ...options })
}

/** Dry run of a rule */
export function dryRun(gantry: Gantry, body: Body<'POST /rule/dry-run'>, options: Options<'POST /rule/dry-run'> = {}): Call<Answer<'POST /rule/dry-run'>> {
  return call(gantry, 'POST /rule/dry-run', { body, ...options })
}

/** Trigger a rule from outside */
export function trigger(gantry: Gantry, id: string, secret: string, body: Body<'POST /rule/{id}/call/{secret}'>, options: Options<'POST /rule/{id}/call/{secret}'> = {}): Call<Answer<'POST /rule/{id}/call/{secret}'>> {
  return call(gantry, 'POST /rule/{id}/call/{secret}', { path: { id, secret }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /rule/{id}'>) => Body<'PATCH /rule/{id}'>): Promise<Answer<'PATCH /rule/{id}'>> {
  return changeRecord(gantry, 'GET /rule/{id}', 'PATCH /rule/{id}', { id }, compute)
}
