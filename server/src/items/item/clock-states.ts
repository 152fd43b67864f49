import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { processOf } from './item-process.ts'

/** The states in which a process lets clocks rest: a field, by its id or as `status`, and its value. */
export async function restingStates(ctx: Context, processId: Id): Promise<{ fieldId: string; value: string }[]> {
  const { states } = await processOf(ctx, processId)
  return [...states].flatMap(([fieldId, values]) =>
    [...values.values()].filter(each => each.pausesClock).map(({ value }) => ({ fieldId, value })),
  )
}
