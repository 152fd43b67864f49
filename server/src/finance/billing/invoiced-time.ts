import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'

/** What billing needs of the room that owns time entries. */
export interface InvoicedTime {
  /** The users whose time is approved before it is billed, with the day from which this holds. */
  approvalAsked(ctx: Context, userIds: readonly Id[]): Promise<Map<Id, string>>
  /** Locks the timesheets of entries against verbs until the transaction ends. */
  hold(ctx: Context, ids: readonly Id[]): Promise<void>
  /** Entries on a document cannot change. */
  take(ctx: Context, ids: readonly Id[], invoiceId: Id): Promise<void>
  /** Entries get the state again that follows from their timesheet. */
  release(ctx: Context, ids: readonly Id[]): Promise<void>
  /** Stores on the entries of an issued document how many seconds it bills. */
  settle(ctx: Context, invoiceId: Id): Promise<void>
}

declare module '../../kernel/context.ts' {
  interface Services {
    invoicedTime: InvoicedTime
  }
}
