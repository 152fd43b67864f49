import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { definitions } from '../cycle/clock-definition.ts'
import { foldItems } from '../cycle/replay-items.ts'
import { keptRows } from './item-clock-rows.ts'
import { leaders } from './primary-cycles.ts'

/** What is used and what is left of a promise, in minutes of working time; below 0 behind what was due. */
export interface Amounts {
  elapsed: number
  remaining: number
}

/** How much each clock of some items has used and has left at this moment: of the promise that stands for the clock. */
export async function clockAmounts(ctx: Context, itemIds: readonly Id[]): Promise<Map<Id, Record<Id, Amounts>>> {
  const kept = await keptRows(ctx, itemIds)
  const folded = await foldItems(ctx, itemIds, await definitions(ctx), kept)
  return new Map(
    itemIds.map(id => {
      const { rows = [], checkpoints = new Map<string, { cycle: number }>() } = folded.get(id) ?? {}
      const finished = (kept.get(id) ?? []).filter(row => row.cycle <= (checkpoints.get(row.lane)?.cycle ?? 0))
      const leading = [...leaders([...rows, ...finished])]
      return [id, Object.fromEntries(leading.map(each => [each.clockId, inMinutes(each)]))]
    }),
  )
}

function inMinutes({ elapsed, remaining }: Amounts): Amounts {
  const minutes = (ms: number) => Math.floor(ms / 1000) / 60
  return { elapsed: minutes(elapsed), remaining: minutes(remaining) }
}
