// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../../types.ts'

/** List the messages of a room */
export function list(gantry: Gantry, id: string, query: Query<'GET /chat/{id}/message'> = {}): Pages<Listed<'GET /chat/{id}/message'>> {
  return pagesOf(gantry, 'GET /chat/{id}/message', { path: { id }, query })
}

/** Post a message */
export function create(gantry: Gantry, id: string, body: Body<'POST /chat/{id}/message'>, options: Options<'POST /chat/{id}/message'> = {}): Call<Answer<'POST /chat/{id}/message'>> {
  return call(gantry, 'POST /chat/{id}/message', { path: { id }, body, ...options })
}

/** Get one message */
export function get(gantry: Gantry, id: string, messageId: string, options: Options<'GET /chat/{id}/message/{messageId}'> = {}): Call<Answer<'GET /chat/{id}/message/{messageId}'>> {
  return call(gantry, 'GET /chat/{id}/message/{messageId}', { path: { id, messageId }, ...options })
}

/** Edit a message */
export function update(gantry: Gantry, id: string, messageId: string, body: Body<'PATCH /chat/{id}/message/{messageId}'>, options: Options<'PATCH /chat/{id}/message/{messageId}'> = {}): Call<Answer<'PATCH /chat/{id}/message/{messageId}'>> {
  return call(gantry, 'PATCH /chat/{id}/message/{messageId}', { path: { id, messageId }, body, ...options })
}

/** Delete a message */
export function remove(gantry: Gantry, id: string, messageId: string, options: Options<'DELETE /chat/{id}/message/{messageId}'> = {}): Call<Answer<'DELETE /chat/{id}/message/{messageId}'>> {
  return call(gantry, 'DELETE /chat/{id}/message/{messageId}', { path: { id, messageId }, ...options })
}

/** React to a message */
export function setReaction(gantry: Gantry, id: string, messageId: string, emoji: string, options: Options<'PUT /chat/{id}/message/{messageId}/reaction/{emoji}'> = {}): Call<Answer<'PUT /chat/{id}/message/{messageId}/reaction/{emoji}'>> {
  return call(gantry, 'PUT /chat/{id}/message/{messageId}/reaction/{emoji}', { path: { id, messageId, emoji }, ...options })
}

/** Remove a reaction to a message */
export function removeReaction(gantry: Gantry, id: string, messageId: string, emoji: string, options: Options<'DELETE /chat/{id}/message/{messageId}/reaction/{emoji}'> = {}): Call<Answer<'DELETE /chat/{id}/message/{messageId}/reaction/{emoji}'>> {
  return call(gantry, 'DELETE /chat/{id}/message/{messageId}/reaction/{emoji}', { path: { id, messageId, emoji }, ...options })
}

/** Create an item from a message */
export function toItem(gantry: Gantry, id: string, messageId: string, body: Body<'POST /chat/{id}/message/{messageId}/to-item'>, options: Options<'POST /chat/{id}/message/{messageId}/to-item'> = {}): Call<Answer<'POST /chat/{id}/message/{messageId}/to-item'>> {
  return call(gantry, 'POST /chat/{id}/message/{messageId}/to-item', { path: { id, messageId }, body, ...options })
}

/** Create an annotation from a message */
export function toAnnotation(gantry: Gantry, id: string, messageId: string, body: Body<'POST /chat/{id}/message/{messageId}/to-annotation'>, options: Options<'POST /chat/{id}/message/{messageId}/to-annotation'> = {}): Call<Answer<'POST /chat/{id}/message/{messageId}/to-annotation'>> {
  return call(gantry, 'POST /chat/{id}/message/{messageId}/to-annotation', { path: { id, messageId }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, messageId: string, compute: (current: Answer<'GET /chat/{id}/message/{messageId}'>) => Body<'PATCH /chat/{id}/message/{messageId}'>): Promise<Answer<'PATCH /chat/{id}/message/{messageId}'>> {
  return changeRecord(gantry, 'GET /chat/{id}/message/{messageId}', 'PATCH /chat/{id}/message/{messageId}', { id, messageId }, compute)
}
