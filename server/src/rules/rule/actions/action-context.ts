import type { LockedItem } from '../../../items/change/change.ts'
import type { Item } from '../../../items/item/item.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import type { ActingRule } from '../engine/evaluate.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import type { ActionResult } from '../log/log.ts'

/** The input of an action handler: the rule, its principal, and the occurrence. */
export interface ActionContext extends ActingRule {
  /** The context of the rule, with its rights and change set. */
  ctx: Context
  occurrence: Occurrence
  /** Reads the current item; undefined if the occurrence has none. */
  item(): Promise<Item | undefined>
  /** Locks the item and reads it by the same statement; refuses if there is none. */
  lock(): Promise<LockedItem>
  /** The item may have changed, so that it is read again. */
  changed(): void
  /** Returns the id of the item, or refuses if there is none. */
  itemId(): Promise<Id>
  /** Renders the templates in a value of an action. */
  render<T>(value: T): Promise<T>
  /** Unique for this run of the rule. It is part of the ids of calls and time entries. */
  key: string
}

/** The result of an action that is more than a change of the item's properties. */
export type StepResult = Omit<ActionResult, 'id' | 'actionType'>
