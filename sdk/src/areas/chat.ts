// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, eventsOf, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query, ServerEvent, StreamOptions } from '../types.ts'

/** List ChatRooms */
export function list(gantry: Gantry, query: Query<'GET /chat'> = {}): Pages<Listed<'GET /chat'>> {
  return pagesOf(gantry, 'GET /chat', { query })
}

/** Create a room */
export function create(gantry: Gantry, body: Body<'POST /chat'>, options: Options<'POST /chat'> = {}): Call<Answer<'POST /chat'>> {
  return call(gantry, 'POST /chat', { body, ...options })
}

/** Get one ChatRoom */
export function get(gantry: Gantry, id: string, options: Options<'GET /chat/{id}'> = {}): Call<Answer<'GET /chat/{id}'>> {
  return call(gantry, 'GET /chat/{id}', { path: { id }, ...options })
}

/** Update one ChatRoom */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /chat/{id}'>, options: Options<'PATCH /chat/{id}'> = {}): Call<Answer<'PATCH /chat/{id}'>> {
  return call(gantry, 'PATCH /chat/{id}', { path: { id }, body, ...options })
}

/** Delete one ChatRoom */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /chat/{id}'> = {}): Call<Answer<'DELETE /chat/{id}'>> {
  return call(gantry, 'DELETE /chat/{id}', { path: { id }, ...options })
}

/** Restore a deleted ChatRoom */
export function restore(gantry: Gantry, id: string, options: Options<'POST /chat/{id}/restore'> = {}): Call<Answer<'POST /chat/{id}/restore'>> {
  return call(gantry, 'POST /chat/{id}/restore', { path: { id }, ...options })
}

/** History of a ChatRoom */
export function history(gantry: Gantry, id: string, options: Options<'GET /chat/{id}/history'> = {}): Call<Answer<'GET /chat/{id}/history'>> {
  return call(gantry, 'GET /chat/{id}/history', { path: { id }, ...options })
}

/** Check one ChatRoom */
export function check(gantry: Gantry, id: string, options: Options<'GET /chat/{id}/check'> = {}): Call<Answer<'GET /chat/{id}/check'>> {
  return call(gantry, 'GET /chat/{id}/check', { path: { id }, ...options })
}

/** Mark a room as read */
export function setRead(gantry: Gantry, id: string, body: Body<'PUT /chat/{id}/read'>, options: Options<'PUT /chat/{id}/read'> = {}): Call<Answer<'PUT /chat/{id}/read'>> {
  return call(gantry, 'PUT /chat/{id}/read', { path: { id }, body, ...options })
}

/** Stream the events of a room */
export function follow(gantry: Gantry, id: string, options: StreamOptions<'GET /chat/{id}/stream'> = {}): AsyncGenerator<ServerEvent> {
  return eventsOf(gantry, 'GET /chat/{id}/stream', { path: { id }, ...options })
}

/** Make a ticket of a chat with a visitor */
export function toTicket(gantry: Gantry, id: string, body: Body<'POST /chat/{id}/to-ticket'>, options: Options<'POST /chat/{id}/to-ticket'> = {}): Call<Answer<'POST /chat/{id}/to-ticket'>> {
  return call(gantry, 'POST /chat/{id}/to-ticket', { path: { id }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /chat/{id}'>) => Body<'PATCH /chat/{id}'>): Promise<Answer<'PATCH /chat/{id}'>> {
  return changeRecord(gantry, 'GET /chat/{id}', 'PATCH /chat/{id}', { id }, compute)
}
