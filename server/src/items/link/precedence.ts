import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { ChangeMore, Consequence } from '../change/change-request.ts'
import type { ItemChange, ItemValidator } from '../validation/item-change.ts'

/** Keeps the dates of items in the order that links demand. It counts in working days, whose calendars belong to a higher room. */
export interface DependentDates {
  /** Moves the items that wait for these, with `more`. It needs no permissions, because the change of the caller causes it. */
  follow(ctx: Context, ids: readonly Id[], more: ChangeMore): Promise<void>
  /** Refuses items that would begin before the open items that precede them allow it. */
  validate: ItemValidator['validate']
}

declare module '../../kernel/context.ts' {
  interface Services {
    dependentDates: DependentDates
  }
}

/** Other dates move the items that follow. */
export const datesFollow: Consequence = async (ctx, accepted, more) => {
  const moved = accepted.filter(hasOtherDates).map(({ after }) => after.id)
  if (moved.length > 0) await ctx.services.dependentDates.follow(ctx, moved, more)
}

const dates = ['startDate', 'dueDate', 'scheduling', 'startNoEarlier', 'parentId'] as const

function hasOtherDates({ before, after }: ItemChange): boolean {
  return before !== undefined && dates.some(each => before[each] !== after[each])
}

export const precedenceValidator: ItemValidator = {
  appliesToNew: async () => false,
  validate: (ctx, changes) => ctx.services.dependentDates.validate(ctx, changes),
}
