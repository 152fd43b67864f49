import type { Context } from '../context.ts'
import type { Id } from '../id.ts'
import type { Verb } from '../kinds.ts'
import { createRecord } from './create-record.ts'
import { findRecord, getRecord } from './find-record.ts'
import type { CreateOptions, FindOptions, UpdateOptions } from './record-options.ts'
import { completed } from './record-values.ts'
import type { Properties, StoreOptions } from './store-options.ts'
import { removeRecord, restoreRecord, updateRecord } from './update-record.ts'
import { demandAtPlace } from './write-checks.ts'

/** Reads and writes the rows of one kind. Each write adds its event in the same statement. */
export function recordStore(store: StoreOptions) {
  // These functions are not async: they pass on the promise that they get, so that a request does not pay for another.
  return {
    find: (ctx: Context, id: Id, more?: FindOptions) => findRecord(store, ctx, id, more),
    get: (ctx: Context, id: Id, more?: FindOptions) => getRecord(store, ctx, id, more),
    create: (ctx: Context, values: Properties, more?: CreateOptions) => createRecord(store, ctx, values, more),
    update: (ctx: Context, id: Id, values: Properties, more?: UpdateOptions) =>
      updateRecord(store, ctx, id, values, more),
    remove: (ctx: Context, id: Id, more?: UpdateOptions) => removeRecord(store, ctx, id, more),
    restore: (ctx: Context, id: Id) => restoreRecord(store, ctx, id),
    demand: (ctx: Context, verb: Verb, record: Properties) => demandAtPlace(store, ctx, verb, record),
    completed: (values: Properties) => completed(store.columns, values),
  }
}
