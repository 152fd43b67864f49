// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List tickets */
export function list(gantry: Gantry, query: Query<'GET /ticket'> = {}): Pages<Listed<'GET /ticket'>> {
  return pagesOf(gantry, 'GET /ticket', { query })
}

/** Create a ticket */
export function create(gantry: Gantry, body: Body<'POST /ticket'>, options: Options<'POST /ticket'> = {}): Call<Answer<'POST /ticket'>> {
  return call(gantry, 'POST /ticket', { body, ...options })
}

/** Get one ticket */
export function get(gantry: Gantry, id: string, options: Options<'GET /ticket/{id}'> = {}): Call<Answer<'GET /ticket/{id}'>> {
  return call(gantry, 'GET /ticket/{id}', { path: { id }, ...options })
}

/** Update a ticket */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /ticket/{id}'>, options: Options<'PATCH /ticket/{id}'> = {}): Call<Answer<'PATCH /ticket/{id}'>> {
  return call(gantry, 'PATCH /ticket/{id}', { path: { id }, body, ...options })
}

/** Delete a ticket */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /ticket/{id}'> = {}): Call<Answer<'DELETE /ticket/{id}'>> {
  return call(gantry, 'DELETE /ticket/{id}', { path: { id }, ...options })
}

/** Restore a deleted ticket */
export function restore(gantry: Gantry, id: string, options: Options<'POST /ticket/{id}/restore'> = {}): Call<Answer<'POST /ticket/{id}/restore'>> {
  return call(gantry, 'POST /ticket/{id}/restore', { path: { id }, ...options })
}

/** History of a ticket */
export function history(gantry: Gantry, id: string, options: Options<'GET /ticket/{id}/history'> = {}): Call<Answer<'GET /ticket/{id}/history'>> {
  return call(gantry, 'GET /ticket/{id}/history', { path: { id }, ...options })
}

/** Reply to the requester */
export function reply(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/reply'>, options: Options<'POST /ticket/{id}/reply'> = {}): Call<Answer<'POST /ticket/{id}/reply'>> {
  return call(gantry, 'POST /ticket/{id}/reply', { path: { id }, body, ...options })
}

/** Write an internal note */
export function note(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/note'>, options: Options<'POST /ticket/{id}/note'> = {}): Call<Answer<'POST /ticket/{id}/note'>> {
  return call(gantry, 'POST /ticket/{id}/note', { path: { id }, body, ...options })
}

/** Forward a ticket */
export function forward(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/forward'>, options: Options<'POST /ticket/{id}/forward'> = {}): Call<Answer<'POST /ticket/{id}/forward'>> {
  return call(gantry, 'POST /ticket/{id}/forward', { path: { id }, body, ...options })
}

/** Snooze a ticket */
export function snooze(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/snooze'>, options: Options<'POST /ticket/{id}/snooze'> = {}): Call<Answer<'POST /ticket/{id}/snooze'>> {
  return call(gantry, 'POST /ticket/{id}/snooze', { path: { id }, body, ...options })
}

/** End the snooze */
export function unsnooze(gantry: Gantry, id: string, options: Options<'POST /ticket/{id}/unsnooze'> = {}): Call<Answer<'POST /ticket/{id}/unsnooze'>> {
  return call(gantry, 'POST /ticket/{id}/unsnooze', { path: { id }, ...options })
}

/** Close a ticket */
export function close(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/close'>, options: Options<'POST /ticket/{id}/close'> = {}): Call<Answer<'POST /ticket/{id}/close'>> {
  return call(gantry, 'POST /ticket/{id}/close', { path: { id }, body, ...options })
}

/** Reopen a ticket */
export function reopen(gantry: Gantry, id: string, options: Options<'POST /ticket/{id}/reopen'> = {}): Call<Answer<'POST /ticket/{id}/reopen'>> {
  return call(gantry, 'POST /ticket/{id}/reopen', { path: { id }, ...options })
}

/** Mark as spam, or not */
export function spam(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/spam'>, options: Options<'POST /ticket/{id}/spam'> = {}): Call<Answer<'POST /ticket/{id}/spam'>> {
  return call(gantry, 'POST /ticket/{id}/spam', { path: { id }, body, ...options })
}

/** Rate a ticket */
export function csat(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/csat'>, options: Options<'POST /ticket/{id}/csat'> = {}): Call<Answer<'POST /ticket/{id}/csat'>> {
  return call(gantry, 'POST /ticket/{id}/csat', { path: { id }, body, ...options })
}

/** Run a macro */
export function macro(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/macro'>, options: Options<'POST /ticket/{id}/macro'> = {}): Call<Answer<'POST /ticket/{id}/macro'>> {
  return call(gantry, 'POST /ticket/{id}/macro', { path: { id }, body, ...options })
}

/** Assign to the next member of a group */
export function assignNext(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/assign-next'>, options: Options<'POST /ticket/{id}/assign-next'> = {}): Call<Answer<'POST /ticket/{id}/assign-next'>> {
  return call(gantry, 'POST /ticket/{id}/assign-next', { path: { id }, body, ...options })
}

/** Make a link for the requester */
export function guestLink(gantry: Gantry, id: string, options: Options<'POST /ticket/{id}/guest-link'> = {}): Call<Answer<'POST /ticket/{id}/guest-link'>> {
  return call(gantry, 'POST /ticket/{id}/guest-link', { path: { id }, ...options })
}

/** Revoke the links of the requester */
export function removeGuestLink(gantry: Gantry, id: string, options: Options<'DELETE /ticket/{id}/guest-link'> = {}): Call<Answer<'DELETE /ticket/{id}/guest-link'>> {
  return call(gantry, 'DELETE /ticket/{id}/guest-link', { path: { id }, ...options })
}

/** List who is present */
export function viewing(gantry: Gantry, id: string, options: Options<'GET /ticket/{id}/viewing'> = {}): Call<Answer<'GET /ticket/{id}/viewing'>> {
  return call(gantry, 'GET /ticket/{id}/viewing', { path: { id }, ...options })
}

/** Report presence */
export function setViewing(gantry: Gantry, id: string, body: Body<'PUT /ticket/{id}/viewing'>, options: Options<'PUT /ticket/{id}/viewing'> = {}): Call<Answer<'PUT /ticket/{id}/viewing'>> {
  return call(gantry, 'PUT /ticket/{id}/viewing', { path: { id }, body, ...options })
}

/** End presence */
export function removeViewing(gantry: Gantry, id: string, options: Options<'DELETE /ticket/{id}/viewing'> = {}): Call<Answer<'DELETE /ticket/{id}/viewing'>> {
  return call(gantry, 'DELETE /ticket/{id}/viewing', { path: { id }, ...options })
}

/** Merge into another item */
export function merge(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/merge'>, options: Options<'POST /ticket/{id}/merge'> = {}): Call<Answer<'POST /ticket/{id}/merge'>> {
  return call(gantry, 'POST /ticket/{id}/merge', { path: { id }, body, ...options })
}

/** Undo a merge */
export function unmerge(gantry: Gantry, id: string, options: Options<'POST /ticket/{id}/unmerge'> = {}): Call<Answer<'POST /ticket/{id}/unmerge'>> {
  return call(gantry, 'POST /ticket/{id}/unmerge', { path: { id }, ...options })
}

/** Split an item */
export function split(gantry: Gantry, id: string, body: Body<'POST /ticket/{id}/split'>, options: Options<'POST /ticket/{id}/split'> = {}): Call<Answer<'POST /ticket/{id}/split'>> {
  return call(gantry, 'POST /ticket/{id}/split', { path: { id }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /ticket/{id}'>) => Body<'PATCH /ticket/{id}'>): Promise<Answer<'PATCH /ticket/{id}'>> {
  return changeRecord(gantry, 'GET /ticket/{id}', 'PATCH /ticket/{id}', { id }, compute)
}
