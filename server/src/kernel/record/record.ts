import type { Static, TObject, TProperties } from 'typebox'
import type { Id } from '../id.ts'
import { Stale } from '../refusal.ts'
import type { Schema } from '../schema/shape.ts'
import type { Sql } from '../sql.ts'
import { type Column, columnOf } from './columns.ts'

/** The properties of every record. A type and not an interface, so that a record is also a map of its properties. */
export type Common = {
  entity: string
  tenantId: Id
  id: Id
  created: string
  createdBy: Id
  updated: string
  updatedBy: Id
  deleted: boolean
  version: number
}

export type Values<P extends TProperties> = Static<TObject<P>>
export type Stored<P extends TProperties> = Values<P> & Common

/** The same with properties that are derived and not stored. */
export type Shown<P extends TProperties, D extends TProperties> = Stored<P> & { [K in keyof D]: Static<D[K]> }

/** A part of a record that its engine cannot act on; every read of the record reports it. */
export interface Finding {
  path: string
  code: string
  message: string
}

export const findingsSchema: Schema = {
  type: 'array',
  description: 'What of the record is stored but inert, and why. Empty if every part has an effect.',
  items: {
    type: 'object',
    properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
    required: ['path', 'code', 'message'],
  },
}

/** One step in the explanation of why a user may or may not do something. */
export interface AccessStep {
  rule: string
  outcome: 'allows' | 'denies' | 'silent'
  because: string
  accessControlId?: Id
}

/** The old and the new value of each changed property; a new record has no old values. */
export type Changes = Record<string, { from?: unknown; to?: unknown }>

/** Columns outside of the shape, and their changes in the event. */
export interface OwnColumns {
  columns: Record<string, Sql>
  changes: Changes
}

/** The versions that the caller accepts to overwrite (`If-Match`); undefined means any. */
export type Expect = readonly number[] | undefined

export function expectVersion(record: Common, expect: Expect): void {
  if (expect && !expect.includes(record.version)) throw new Stale(record)
}

/** The columns of the common properties. */
export const commonColumns: readonly Column[] = [
  columnOf('tenantId', { type: 'string', 'x-ref': 'any' }),
  columnOf('id', { type: 'string', 'x-ref': 'any' }),
  columnOf('created', { type: 'string', format: 'date-time' }),
  columnOf('createdBy', { type: 'string', 'x-ref': 'any' }),
  columnOf('updated', { type: 'string', format: 'date-time' }),
  columnOf('updatedBy', { type: 'string', 'x-ref': 'any' }),
  columnOf('deleted', { type: 'boolean' }),
  columnOf('version', { type: 'integer' }),
]
