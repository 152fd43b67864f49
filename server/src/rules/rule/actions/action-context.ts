import type { Item } from '../../../items/item/item.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import type { ActingRule } from '../engine/evaluate.ts'
import type { Occurrence } from '../engine/occurrence.ts'

/** What a handler of an action needs: the rule, its caller, and what it acts upon. */
export interface ActionContext extends ActingRule {
  /** The rule's own context: its rights, and a change set of its own. */
  ctx: Context
  occurrence: Occurrence
  /** The item as it is at this moment; undefined where the occurrence is about none. */
  item(): Promise<Item | undefined>
  /** The same, where there must be one. */
  itemId(): Promise<Id>
  /** A value of an action with its templates filled in. */
  render<T>(value: T): Promise<T>
  /** The same for whatever is done again: a mail, a call. */
  key: string
}
