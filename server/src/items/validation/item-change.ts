import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Item } from '../item/item.ts'

/** A change of one item; `before` is undefined for a new item. */
export interface ItemChange {
  before: Item | undefined
  after: Item
  /** The workflow validation is skipped on request of a super admin. */
  force: boolean
  /** The changes in its event; undefined for a new item. */
  changes?: Changes | undefined
  /** The actor kind of its event, if not the caller's. */
  actorKind?: Caller['kind'] | undefined
}

/** The result of a validator for one item: a refusal or a warning. */
export interface ValidationResult {
  id: Id
  refusal?: Refusal
  warning?: string
}

/** Validates every change of items, whatever caused it. */
export interface ItemValidator {
  /** Whether it applies to new items of this container. If no validator does, a new item is one plain statement. */
  appliesToNew: (ctx: Context, containerId: Id) => Promise<boolean>
  /**
   * Runs after the write, in the same transaction and for all items of the change at once, so it can query the new rows.
   * What it refuses is rolled back.
   */
  validate: (ctx: Context, changes: readonly ItemChange[]) => Promise<ValidationResult[]>
}
