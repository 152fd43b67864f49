import { countReopenings } from '../../desk/ticket/reopening.ts'
import type { Context } from '../../kernel/context.ts'
import { datesFollow } from '../link/follow.ts'
import type { Changed, Wanted } from './change.ts'
import type { Item } from './item.ts'
import type { Passage } from './laws.ts'
import { closingIsDue } from './recurrence-closing.ts'

/** Changes more items in the same breath: all of them, or nothing of the whole. */
export type ChangeMore = (ctx: Context, wanted: readonly Wanted[]) => Promise<(Changed & { item: Item })[]>

/** What a change of items brings with it for others, in the same transaction and change set: dates that follow, say. */
export type Consequence = (ctx: Context, passed: readonly Passage[], more: ChangeMore) => Promise<void>

export const consequences: readonly Consequence[] = [closingIsDue, datesFollow, countReopenings]
