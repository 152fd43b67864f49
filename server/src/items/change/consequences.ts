import type { Context } from '../../kernel/context.ts'
import type { Item } from '../item/item.ts'
import { datesFollow } from '../link/precedence.ts'
import type { ItemChange } from '../validation/validation.ts'
import type { ItemChangeResult, Wanted } from './change.ts'
import { closingIsDue } from './recurrence-closing.ts'

/** Changes more items in the same breath: all of them, or nothing of the whole. */
export type ChangeMore = (ctx: Context, wanted: readonly Wanted[]) => Promise<(ItemChangeResult & { item: Item })[]>

/** What a change of items brings with it for others, in the same transaction and change set: dates that follow, say. */
export type Consequence = (ctx: Context, passed: readonly ItemChange[], more: ChangeMore) => Promise<void>

declare module '../../kernel/context.ts' {
  interface Services {
    /** Those of later rooms; they come after the items' own. */
    consequences: readonly Consequence[]
  }
}

export function consequences(ctx: Context): readonly Consequence[] {
  return [closingIsDue, datesFollow, ...ctx.services.consequences]
}
