// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, linesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../types.ts'

/** Get the tenant of the caller */
export function own(gantry: Gantry, options: Options<'GET /tenant'> = {}): Call<Answer<'GET /tenant'>> {
  return call(gantry, 'GET /tenant', { ...options })
}

/** Update the tenant of the caller */
export function updateOwn(gantry: Gantry, body: Body<'PATCH /tenant'>, options: Options<'PATCH /tenant'> = {}): Call<Answer<'PATCH /tenant'>> {
  return call(gantry, 'PATCH /tenant', { body, ...options })
}

/** Create a tenant */
export function create(gantry: Gantry, body: Body<'POST /tenant'>, options: Options<'POST /tenant'> = {}): Call<Answer<'POST /tenant'>> {
  return call(gantry, 'POST /tenant', { body, ...options })
}

/** List all tenants */
export function all(gantry: Gantry, options: Options<'GET /tenant/all'> = {}): Call<Answer<'GET /tenant/all'>> {
  return call(gantry, 'GET /tenant/all', { ...options })
}

/** List erased tenants */
export function erased(gantry: Gantry, options: Options<'GET /tenant/erased'> = {}): Call<Answer<'GET /tenant/erased'>> {
  return call(gantry, 'GET /tenant/erased', { ...options })
}

/** Get the usage of the tenant */
export function usage(gantry: Gantry, options: Options<'GET /tenant/usage'> = {}): Call<Answer<'GET /tenant/usage'>> {
  return call(gantry, 'GET /tenant/usage', { ...options })
}

/** Export the tenant */
export function exportAll(gantry: Gantry, options: Options<'GET /tenant/export'> = {}): AsyncGenerator<unknown> {
  return linesOf(gantry, 'GET /tenant/export', { ...options })
}

/** Import a tenant */
export function importAll(gantry: Gantry, body: Body<'POST /tenant/import'>, options: Options<'POST /tenant/import'> = {}): Call<Answer<'POST /tenant/import'>> {
  return call(gantry, 'POST /tenant/import', { body, ...options })
}

/** Get one Tenant */
export function get(gantry: Gantry, id: string, options: Options<'GET /tenant/{id}'> = {}): Call<Answer<'GET /tenant/{id}'>> {
  return call(gantry, 'GET /tenant/{id}', { path: { id }, ...options })
}

/** Update one Tenant */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /tenant/{id}'>, options: Options<'PATCH /tenant/{id}'> = {}): Call<Answer<'PATCH /tenant/{id}'>> {
  return call(gantry, 'PATCH /tenant/{id}', { path: { id }, body, ...options })
}

/** Close a tenant */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /tenant/{id}'> = {}): Call<Answer<'DELETE /tenant/{id}'>> {
  return call(gantry, 'DELETE /tenant/{id}', { path: { id }, ...options })
}

/** Suspend a tenant */
export function suspend(gantry: Gantry, id: string, options: Options<'POST /tenant/{id}/suspend'> = {}): Call<Answer<'POST /tenant/{id}/suspend'>> {
  return call(gantry, 'POST /tenant/{id}/suspend', { path: { id }, ...options })
}

/** Activate a tenant */
export function activate(gantry: Gantry, id: string, options: Options<'POST /tenant/{id}/activate'> = {}): Call<Answer<'POST /tenant/{id}/activate'>> {
  return call(gantry, 'POST /tenant/{id}/activate', { path: { id }, ...options })
}

/** History of a Tenant */
export function history(gantry: Gantry, id: string, options: Options<'GET /tenant/{id}/history'> = {}): Call<Answer<'GET /tenant/{id}/history'>> {
  return call(gantry, 'GET /tenant/{id}/history', { path: { id }, ...options })
}

/** Get the state of the sample company */
export function sample(gantry: Gantry, options: Options<'GET /tenant/sample'> = {}): Call<Answer<'GET /tenant/sample'>> {
  return call(gantry, 'GET /tenant/sample', { ...options })
}

/** Load the sample company */
export function createSample(gantry: Gantry, options: Options<'POST /tenant/sample'> = {}): Call<Answer<'POST /tenant/sample'>> {
  return call(gantry, 'POST /tenant/sample', { ...options })
}

/** Remove the sample company */
export function removeSample(gantry: Gantry, options: Options<'DELETE /tenant/sample'> = {}): Call<Answer<'DELETE /tenant/sample'>> {
  return call(gantry, 'DELETE /tenant/sample', { ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /tenant/{id}'>) => Body<'PATCH /tenant/{id}'>): Promise<Answer<'PATCH /tenant/{id}'>> {
  return changeRecord(gantry, 'GET /tenant/{id}', 'PATCH /tenant/{id}', { id }, compute)
}
