import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Item } from '../item/item.ts'
import type { ItemInput } from '../item-body/item-body.ts'
import type { ItemChange } from '../validation/item-change.ts'

/** One item, and what somebody wants of it. */
export interface ItemChangeRequest {
  id: Id
  read: ItemInput
  expect?: Expect
  /** Pass over what the workflow forbids. */
  force?: boolean
  /** `Field` says some of the values, not all of them. */
  mergeFields?: boolean
  /** Where it is to stand; see ordering.ts. */
  rank?: string
}

/** What became of it. */
export interface ItemChangeResult {
  id: Id
  /** The item as it is now, unless it was refused. */
  item?: Item
  outcome: 'updated' | 'unchanged' | 'failed'
  refusal?: Refusal
  /** What the laws let pass and want to be known. */
  warnings: string[]
}

/** Changes more items in the same breath: all of them, or nothing of the whole. */
export type ChangeMore = (
  ctx: Context,
  wanted: readonly ItemChangeRequest[],
) => Promise<(ItemChangeResult & { item: Item })[]>

/** What a change of items brings with it for others, in the same transaction and change set: dates that follow, say. */
export type Consequence = (ctx: Context, accepted: readonly ItemChange[], more: ChangeMore) => Promise<void>
