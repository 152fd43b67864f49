import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { clockDefinitions } from '../cycle/clock-definition.ts'
import type { Checkpoint, ClockCycle } from '../cycle/cycle.ts'
import { type MeasuredCycle, periodsOfCycle } from '../cycle/measure.ts'
import { type ReplayedItem, replayItems } from '../cycle/replay-items.ts'
import { type Duty, dutyAt } from '../region/duty.ts'
import { type StoredRow, storedRows } from './item-clock-rows.ts'
import { primaryCycles } from './primary-cycles.ts'

export { targetKind } from '../clock/target-kind.ts'
export { clockState } from '../cycle/measure.ts'

/** How much of a target is used and how much is left, in minutes of working time; below 0 if it is overdue. */
export interface ClockAmounts {
  elapsed: number
  remaining: number
}

/** The amounts of each clock of some items at this moment, taken from the primary cycle of the clock. */
export async function clockAmounts(ctx: Context, itemIds: readonly Id[]): Promise<Map<Id, Record<Id, ClockAmounts>>> {
  const stored = await storedRows(ctx, itemIds)
  const replayed = await replayItems(ctx, itemIds, await clockDefinitions(ctx), stored)
  return new Map(
    itemIds.map(id => {
      const { rows = [], checkpoints = new Map<string, Checkpoint>() } = replayed.get(id) ?? {}
      const primary = primaryCycles([...rows, ...finishedRows(stored.get(id) ?? [], checkpoints)])
      return [id, Object.fromEntries([...primary].map(each => [each.clockId, inMinutes(each)]))]
    }),
  )
}

function inMinutes({ elapsed, remaining }: ClockAmounts): ClockAmounts {
  const minutes = (ms: number) => Math.floor(ms / 1000) / 60
  return { elapsed: minutes(elapsed), remaining: minutes(remaining) }
}

/** A cycle of an item, whether replayed or taken from a stored row. */
export type ItemClock = Omit<MeasuredCycle, 'greenAt'> & { greenAt?: number | null }

export interface ItemClocks {
  clocks: ItemClock[]
  replayed: ReplayedItem
}

/** All clocks of an item at this moment: finished cycles as they are stored, the others replayed. */
export async function clocksOfItem(ctx: Context, itemId: Id): Promise<ItemClocks> {
  const stored = await storedRows(ctx, [itemId])
  const replayed = (await replayItems(ctx, [itemId], await clockDefinitions(ctx), stored)).get(itemId)
  if (!replayed) throw new NotFound()
  const finished = finishedRows(stored.get(itemId) ?? [], replayed.checkpoints)
  const clocks = [...finished, ...replayed.rows].toSorted((a, b) => a.kind - b.kind || a.cycle - b.cycle)
  return { clocks, replayed }
}

/** Who is on duty for a cycle that has not ended, by the hours that count for it now. */
export function cycleDuty(cycle: ClockCycle, now: number): Duty | undefined {
  if (cycle.ended) return undefined
  return dutyAt(periodsOfCycle(cycle).findLast(each => each.from <= now)?.parts ?? [], now)
}

/** The stored rows of cycles that cannot change any more. */
function finishedRows(rows: readonly StoredRow[], checkpoints: ReadonlyMap<string, Checkpoint>): StoredRow[] {
  return rows.filter(row => row.cycle <= (checkpoints.get(row.lane)?.cycle ?? 0))
}
