import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Item } from '../item/item.ts'
import type { ItemInput } from '../item-body/item-body.ts'
import type { ItemChange } from '../validation/item-change.ts'

/** A locked item with all stored custom values, including those that its container does not show. */
export interface LockedItem {
  item: Item
  fields: Record<Id, unknown>
  /** Whether the caller may change it; set only where a rule depends on the row. */
  mayChange?: boolean | undefined
}

/** A requested change of one item. */
export interface ItemChangeRequest {
  id: Id
  read: ItemInput
  /** The item, if this transaction has locked it already. */
  locked?: LockedItem
  expect?: Expect
  /** Skips the workflow validation. */
  force?: boolean
  /** The new rank; see rank/rank.ts. */
  rank?: string
}

/** The outcome of one requested change. */
export interface ItemChangeResult {
  id: Id
  /** The item after the change; missing if the change was refused. */
  item?: Item
  outcome: 'updated' | 'unchanged' | 'failed'
  refusal?: Refusal
  /** Warnings of the validators. */
  warnings: string[]
}

/** Changes further items in the same transaction; one refusal refuses the whole change. */
export type ChangeMore = (
  ctx: Context,
  wanted: readonly ItemChangeRequest[],
) => Promise<(ItemChangeResult & { item: Item })[]>

/**
 * Further changes that follow from a change of items, in the same transaction and change set; dependent dates, for
 * example.
 */
export type Consequence = (ctx: Context, accepted: readonly ItemChange[], more: ChangeMore) => Promise<void>
