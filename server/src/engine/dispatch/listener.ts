import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { NewJob } from './enqueue.ts'

/** An event of the log, as listeners are asked about it. */
export interface LoggedEvent {
  readonly tenantId: Id
  /** Its place in the log: with the id, the order. */
  readonly xact: string
  readonly id: Id
  readonly at: Date
  /** `item.updated` */
  readonly kind: string
  readonly entity: string
  readonly recordId: Id
  readonly actorId: Id
  readonly actorKind: string
  readonly changeSetId: Id
  /** Before and after of what changed. What is longer than a page is named only: `{}`. */
  readonly changes: Changes
}

/** The event without what it changed. */
export type BareEvent = Omit<LoggedEvent, 'changes'>

/** Somebody who may have something to do when something has happened. */
export interface Listener {
  readonly name: string
  /** Whether the tenant has anything that listens. Asked for every batch, so it must be remembered: see kernel/memory.ts. */
  listens(ctx: Context): Promise<boolean>
  /** Which events it may care about, as far as can be told without what they changed: that is read for those alone. All, if not said. */
  hears?(event: BareEvent): boolean
  /** What is to be done about these events of one tenant, which come in the order of the log. */
  jobs(ctx: Context, events: readonly LoggedEvent[]): Promise<readonly EventJob[]>
}

/** A job, and the event that it follows from. */
export interface EventJob extends NewJob {
  readonly event: LoggedEvent
}
