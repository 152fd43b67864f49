import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { NewJob } from './enqueue.ts'

/** An event of the log as listeners receive it. */
export interface LoggedEvent {
  readonly tenantId: Id
  /** The transaction number; with the id it gives the order of the log. */
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
  /** The values before and after the change. Values that are too long are replaced by `{}`. */
  readonly changes: Changes
}

/** The event without its changes. */
export type BareEvent = Omit<LoggedEvent, 'changes'>

/** Decides which jobs follow from events. */
export interface Listener {
  readonly name: string
  /**
   * Whether the tenant has anything that listens. Called for every batch, so the answer must be cached: see
   * kernel/memory.ts.
   */
  listens(ctx: Context): Promise<boolean>
  /**
   * Whether the listener may want this event, judged without its changes: these are loaded only for the wanted events.
   * All events if omitted.
   */
  accepts?(event: BareEvent): boolean
  /** Returns the jobs that follow from these events of one tenant, which come in the order of the log. */
  jobs(ctx: Context, events: readonly LoggedEvent[]): Promise<readonly EventJob[]>
}

/** A job, and the event that caused it. */
export interface EventJob extends NewJob {
  readonly event: LoggedEvent
}
