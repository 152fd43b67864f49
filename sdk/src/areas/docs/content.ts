// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord } from '../../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../../types.ts'

/** Get one DocumentContent */
export function get(gantry: Gantry, docId: string, options: Options<'GET /docs/content/{docId}'> = {}): Call<Answer<'GET /docs/content/{docId}'>> {
  return call(gantry, 'GET /docs/content/{docId}', { path: { docId }, ...options })
}

/** Write the content of a document */
export function update(gantry: Gantry, docId: string, body: Body<'PATCH /docs/content/{docId}'>, options: Options<'PATCH /docs/content/{docId}'> = {}): Call<Answer<'PATCH /docs/content/{docId}'>> {
  return call(gantry, 'PATCH /docs/content/{docId}', { path: { docId }, body, ...options })
}

/** History of a DocumentContent */
export function history(gantry: Gantry, docId: string, options: Options<'GET /docs/content/{docId}/history'> = {}): Call<Answer<'GET /docs/content/{docId}/history'>> {
  return call(gantry, 'GET /docs/content/{docId}/history', { path: { docId }, ...options })
}

/** Compare two versions of a document */
export function diff(gantry: Gantry, docId: string, options: Options<'GET /docs/content/{docId}/diff'> = {}): Call<Answer<'GET /docs/content/{docId}/diff'>> {
  return call(gantry, 'GET /docs/content/{docId}/diff', { path: { docId }, ...options })
}

/** Restore a version of a document */
export function restore(gantry: Gantry, docId: string, body: Body<'POST /docs/content/{docId}/restore'>, options: Options<'POST /docs/content/{docId}/restore'> = {}): Call<Answer<'POST /docs/content/{docId}/restore'>> {
  return call(gantry, 'POST /docs/content/{docId}/restore', { path: { docId }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, docId: string, compute: (current: Answer<'GET /docs/content/{docId}'>) => Body<'PATCH /docs/content/{docId}'>): Promise<Answer<'PATCH /docs/content/{docId}'>> {
  return changeRecord(gantry, 'GET /docs/content/{docId}', 'PATCH /docs/content/{docId}', { docId }, compute)
}
