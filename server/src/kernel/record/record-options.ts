import type { Id } from '../id.ts'
import type { Sql } from '../sql.ts'
import type { Expect, OwnColumns } from './record.ts'

export interface FindOptions {
  /** Finds a deleted record, too. */
  deleted?: boolean
  /** Locks the row until the transaction ends. */
  lock?: boolean
}

export interface CreateOptions {
  id?: Id
  /** Columns outside of the shape. */
  own?: Record<string, Sql>
  /** The second part of the event's name. */
  verb?: string
}

export interface UpdateOptions {
  expect?: Expect
  /** Changes of columns outside of the shape. */
  own?: OwnColumns
  /** The second part of the event's name. */
  verb?: string
}
