import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Item } from '../item/item.ts'

/** An item on its way from what it was to what it is now; a new one was nothing before. */
export interface ItemChange {
  before: Item | undefined
  after: Item
  /** Somebody who may has asked to pass over what the workflow forbids. */
  force: boolean
  /** What its event tells; a new item's tells all that it is. */
  changes?: Changes | undefined
  /** As whose deed it is told, if not as the caller's. */
  actorKind?: Caller['kind'] | undefined
}

/** What a law says of one item: it must not be (`refusal`), or it may, but people should know (`warning`). */
export interface ValidationResult {
  id: Id
  refusal?: Refusal
  warning?: string
}

/** What every change of an item must obey, on whatever way it comes. */
export interface ItemValidator {
  /** Whether it must look at new items of this container. If no law has to, a new item is one plain statement. */
  appliesToNew: (ctx: Context, containerId: Id) => Promise<boolean>
  /**
   * Sees the rows as they would be: it runs behind the write, in its transaction, over all items of the change at once,
   * and whatever it refuses is taken back.
   */
  validate: (ctx: Context, passages: readonly ItemChange[]) => Promise<ValidationResult[]>
}
