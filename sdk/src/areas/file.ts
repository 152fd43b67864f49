// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf, responseOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Files */
export function list(gantry: Gantry, query: Query<'GET /file'> = {}): Pages<Listed<'GET /file'>> {
  return pagesOf(gantry, 'GET /file', { query })
}

/** Upload a file */
export function create(gantry: Gantry, body: Body<'POST /file'>, options: Options<'POST /file'> = {}): Call<Answer<'POST /file'>> {
  return call(gantry, 'POST /file', { body, ...options })
}

/** Download a file */
export function download(gantry: Gantry, fileId: string, options: Options<'GET /file/download/{fileId}'> = {}): Promise<Response> {
  return responseOf(gantry, 'GET /file/download/{fileId}', { path: { fileId }, ...options })
}

/** Get one File */
export function get(gantry: Gantry, id: string, options: Options<'GET /file/{id}'> = {}): Call<Answer<'GET /file/{id}'>> {
  return call(gantry, 'GET /file/{id}', { path: { id }, ...options })
}

/** Update one File */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /file/{id}'>, options: Options<'PATCH /file/{id}'> = {}): Call<Answer<'PATCH /file/{id}'>> {
  return call(gantry, 'PATCH /file/{id}', { path: { id }, body, ...options })
}

/** Delete one File */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /file/{id}'> = {}): Call<Answer<'DELETE /file/{id}'>> {
  return call(gantry, 'DELETE /file/{id}', { path: { id }, ...options })
}

/** Restore a deleted File */
export function restore(gantry: Gantry, id: string, options: Options<'POST /file/{id}/restore'> = {}): Call<Answer<'POST /file/{id}/restore'>> {
  return call(gantry, 'POST /file/{id}/restore', { path: { id }, ...options })
}

/** Show a thumb of a picture */
export function thumb(gantry: Gantry, id: string, options: Options<'GET /file/{id}/thumb'> = {}): Promise<Response> {
  return responseOf(gantry, 'GET /file/{id}/thumb', { path: { id }, ...options })
}

/** History of a File */
export function history(gantry: Gantry, id: string, options: Options<'GET /file/{id}/history'> = {}): Call<Answer<'GET /file/{id}/history'>> {
  return call(gantry, 'GET /file/{id}/history', { path: { id }, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /file/{id}'>) => Body<'PATCH /file/{id}'>): Promise<Answer<'PATCH /file/{id}'>> {
  return changeRecord(gantry, 'GET /file/{id}', 'PATCH /file/{id}', { id }, compute)
}
