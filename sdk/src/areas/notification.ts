// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Notifications */
export function list(gantry: Gantry, query: Query<'GET /notification'> = {}): Pages<Listed<'GET /notification'>> {
  return pagesOf(gantry, 'GET /notification', { query })
}

/** Create one Notification */
export function create(gantry: Gantry, body: Body<'POST /notification'>, options: Options<'POST /notification'> = {}): Call<Answer<'POST /notification'>> {
  return call(gantry, 'POST /notification', { body, ...options })
}

/** Get one Notification */
export function get(gantry: Gantry, id: string, options: Options<'GET /notification/{id}'> = {}): Call<Answer<'GET /notification/{id}'>> {
  return call(gantry, 'GET /notification/{id}', { path: { id }, ...options })
}

/** Update one Notification */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /notification/{id}'>, options: Options<'PATCH /notification/{id}'> = {}): Call<Answer<'PATCH /notification/{id}'>> {
  return call(gantry, 'PATCH /notification/{id}', { path: { id }, body, ...options })
}

/** Delete one Notification */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /notification/{id}'> = {}): Call<Answer<'DELETE /notification/{id}'>> {
  return call(gantry, 'DELETE /notification/{id}', { path: { id }, ...options })
}

/** Restore a deleted Notification */
export function restore(gantry: Gantry, id: string, options: Options<'POST /notification/{id}/restore'> = {}): Call<Answer<'POST /notification/{id}/restore'>> {
  return call(gantry, 'POST /notification/{id}/restore', { path: { id }, ...options })
}

/** History of a Notification */
export function history(gantry: Gantry, id: string, options: Options<'GET /notification/{id}/history'> = {}): Call<Answer<'GET /notification/{id}/history'>> {
  return call(gantry, 'GET /notification/{id}/history', { path: { id }, ...options })
}

/** Check one Notification */
export function check(gantry: Gantry, id: string, options: Options<'GET /notification/{id}/check'> = {}): Call<Answer<'GET /notification/{id}/check'>> {
  return call(gantry, 'GET /notification/{id}/check', { path: { id }, ...options })
}

/** Run a notification now */
export function run(gantry: Gantry, id: string, options: Options<'POST /notification/{id}/run'> = {}): Call<Answer<'POST /notification/{id}/run'>> {
  return call(gantry, 'POST /notification/{id}/run', { path: { id }, ...options })
}

/** Preview a notification before it is saved */
export function previewDraft(gantry: Gantry, body: Body<'POST /notification/preview'>, options: Options<'POST /notification/preview'> = {}): Call<Answer<'POST /notification/preview'>> {
  return call(gantry, 'POST /notification/preview', { body, ...options })
}

/** Preview the messages of a notification */
export function preview(gantry: Gantry, id: string, options: Options<'POST /notification/{id}/preview'> = {}): Call<Answer<'POST /notification/{id}/preview'>> {
  return call(gantry, 'POST /notification/{id}/preview', { path: { id }, ...options })
}

/** List the runs of a notification */
export function log(gantry: Gantry, id: string, options: Options<'GET /notification/{id}/log'> = {}): Call<Answer<'GET /notification/{id}/log'>> {
  return call(gantry, 'GET /notification/{id}/log', { path: { id }, ...options })
}

/** List the caller’s inbox */
export function inbox(gantry: Gantry, query: Query<'GET /notification/inbox'> = {}): Pages<Listed<'GET /notification/inbox'>> {
  return pagesOf(gantry, 'GET /notification/inbox', { query })
}

/** Count unread inbox entries */
export function inboxCount(gantry: Gantry, options: Options<'GET /notification/inbox/count'> = {}): Call<Answer<'GET /notification/inbox/count'>> {
  return call(gantry, 'GET /notification/inbox/count', { ...options })
}

/** Mark entries as read */
export function inboxRead(gantry: Gantry, body: Body<'POST /notification/inbox/read'>, options: Options<'POST /notification/inbox/read'> = {}): Call<Answer<'POST /notification/inbox/read'>> {
  return call(gantry, 'POST /notification/inbox/read', { body, ...options })
}

/** Archive entries */
export function inboxArchive(gantry: Gantry, body: Body<'POST /notification/inbox/archive'>, options: Options<'POST /notification/inbox/archive'> = {}): Call<Answer<'POST /notification/inbox/archive'>> {
  return call(gantry, 'POST /notification/inbox/archive', { body, ...options })
}

/** Snooze entries */
export function inboxSnooze(gantry: Gantry, body: Body<'POST /notification/inbox/snooze'>, options: Options<'POST /notification/inbox/snooze'> = {}): Call<Answer<'POST /notification/inbox/snooze'>> {
  return call(gantry, 'POST /notification/inbox/snooze', { body, ...options })
}

/** Read the notification preference */
export function preference(gantry: Gantry, options: Options<'GET /notification/preference'> = {}): Call<Answer<'GET /notification/preference'>> {
  return call(gantry, 'GET /notification/preference', { ...options })
}

/** Change the notification preference */
export function setPreference(gantry: Gantry, body: Body<'PUT /notification/preference'>, options: Options<'PUT /notification/preference'> = {}): Call<Answer<'PUT /notification/preference'>> {
  return call(gantry, 'PUT /notification/preference', { body, ...options })
}

/** Count the messages of the last days */
export function noise(gantry: Gantry, options: Options<'GET /notification/noise'> = {}): Call<Answer<'GET /notification/noise'>> {
  return call(gantry, 'GET /notification/noise', { ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /notification/{id}'>) => Body<'PATCH /notification/{id}'>): Promise<Answer<'PATCH /notification/{id}'>> {
  return changeRecord(gantry, 'GET /notification/{id}', 'PATCH /notification/{id}', { id }, compute)
}
