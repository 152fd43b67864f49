// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List ChecklistEntries */
export function list(gantry: Gantry, query: Query<'GET /checklist-entry'> = {}): Pages<Listed<'GET /checklist-entry'>> {
  return pagesOf(gantry, 'GET /checklist-entry', { query })
}

/** Create one ChecklistEntry */
export function create(gantry: Gantry, body: Body<'POST /checklist-entry'>, options: Options<'POST /checklist-entry'> = {}): Call<Answer<'POST /checklist-entry'>> {
  return call(gantry, 'POST /checklist-entry', { body, ...options })
}

/** Get one ChecklistEntry */
export function get(gantry: Gantry, id: string, options: Options<'GET /checklist-entry/{id}'> = {}): Call<Answer<'GET /checklist-entry/{id}'>> {
  return call(gantry, 'GET /checklist-entry/{id}', { path: { id }, ...options })
}

/** Update one ChecklistEntry */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /checklist-entry/{id}'>, options: Options<'PATCH /checklist-entry/{id}'> = {}): Call<Answer<'PATCH /checklist-entry/{id}'>> {
  return call(gantry, 'PATCH /checklist-entry/{id}', { path: { id }, body, ...options })
}

/** Delete one ChecklistEntry */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /checklist-entry/{id}'> = {}): Call<Answer<'DELETE /checklist-entry/{id}'>> {
  return call(gantry, 'DELETE /checklist-entry/{id}', { path: { id }, ...options })
}

/** Restore a deleted ChecklistEntry */
export function restore(gantry: Gantry, id: string, options: Options<'POST /checklist-entry/{id}/restore'> = {}): Call<Answer<'POST /checklist-entry/{id}/restore'>> {
  return call(gantry, 'POST /checklist-entry/{id}/restore', { path: { id }, ...options })
}

/** History of a ChecklistEntry */
export function history(gantry: Gantry, id: string, options: Options<'GET /checklist-entry/{id}/history'> = {}): Call<Answer<'GET /checklist-entry/{id}/history'>> {
  return call(gantry, 'GET /checklist-entry/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /checklist-entry/{id}'>) => Body<'PATCH /checklist-entry/{id}'>): Promise<Answer<'PATCH /checklist-entry/{id}'>> {
  return changeRecord(gantry, 'GET /checklist-entry/{id}', 'PATCH /checklist-entry/{id}', { id }, compute)
}
