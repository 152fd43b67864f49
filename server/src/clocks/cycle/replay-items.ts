import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { KeptRow } from '../item-clock/item-clock-rows.ts'
import { type Definition, laneOf } from './clock-definition.ts'
import type { Begun, Checkpoint, Cycle, Moment } from './cycle.ts'
import { momentsOf } from './item-history.ts'
import { type Measured, measure } from './measure.ts'
import { foldLane } from './replay-lane.ts'

/** The clocks of one item, folded from its events: what is not finished for good, and where that ends. */
export interface Folded {
  rows: Measured[]
  cycles: Cycle[]
  checkpoints: ReadonlyMap<string, Checkpoint>
}

/** What is not taken as it is kept: how open cycles began, or the finished ones as well. */
export type Anew = 'nothing' | 'open' | 'all'

/** Folds the events of items, each lane from its last finished cycle on. */
export async function foldItems(
  ctx: Context,
  itemIds: readonly Id[],
  all: readonly Definition[],
  kept: ReadonlyMap<Id, readonly KeptRow[]>,
  anew: Anew = 'nothing',
): Promise<Map<Id, Folded>> {
  const lanes = [...new Set(all.flatMap(each => each.promises.map(promise => laneOf(each, promise))))]
  const checkpoints = new Map(itemIds.map(id => [id, anew === 'all' ? new Map() : checkpointsOf(kept.get(id) ?? [])]))
  const since = new Map(
    itemIds.flatMap(id => {
      const known = lanes.map(lane => checkpoints.get(id)?.get(lane)?.by || undefined)
      return known.length > 0 && known.every(each => each !== undefined)
        ? [[id, known.reduce((a, b) => (a < b ? a : b)) as Id] as const]
        : []
    }),
  )
  const moments = lanes.length === 0 ? new Map<Id, Moment[]>() : await momentsOf(ctx, itemIds, all, since)
  return new Map(
    itemIds.map(id => {
      const ended = checkpoints.get(id) ?? new Map<string, Checkpoint>()
      const happened = withOwnMoments(moments.get(id) ?? [], all, ctx.now.getTime())
      const anchors = anew === 'nothing' ? anchorsOf(kept.get(id) ?? []) : new Map<string, Begun>()
      const cycles = lanes.flatMap(lane => {
        const checkpoint = ended.get(lane)
        return foldLane(lane, all, from(happened, checkpoint), { checkpoint, anchor: anchors.get(lane) })
      })
      return [id, { cycles, rows: cycles.map(each => measure(each, ctx.now.getTime())), checkpoints: ended }]
    }),
  )
}

/** One that ended because its item was gone is not finished for good: the item may return. */
function checkpointsOf(rows: readonly KeptRow[]): Map<string, Checkpoint> {
  const found = new Map<string, Checkpoint>()
  for (const { lane, cycle, endedAt, endedBy, memory } of rows) {
    if (endedAt === null || memory.gone) continue
    if ((found.get(lane)?.cycle ?? 0) < cycle) found.set(lane, { cycle, by: endedBy, at: endedAt, memory })
  }
  return found
}

/** How the cycles began that are not finished. */
function anchorsOf(rows: readonly KeptRow[]): Map<string, Begun> {
  const open = rows.filter(({ endedAt, memory }) => endedAt === null || memory.gone)
  return new Map(open.flatMap(({ lane, memory }) => (memory.begun ? [[lane, memory.begun]] : [])))
}

function from(moments: readonly Moment[], checkpoint: Checkpoint | undefined): readonly Moment[] {
  if (!checkpoint) return moments
  const { by, at } = checkpoint
  return moments.filter(each => (each.id !== '' && by !== '' ? each.id >= by : each.at > at))
}

/** What clocks themselves bring about: one is taken away, or asks to be looked at anew from some moment on. */
function withOwnMoments(moments: readonly Moment[], all: readonly Definition[], now: number): Moment[] {
  const asked = all.flatMap(({ clock, gone, versions }) =>
    [
      ...(gone === undefined ? [] : [gone]),
      ...versions.filter(each => each.recalculate > 0).map(each => Math.max(each.from, each.made)),
    ].map(at => ({ at, only: clock.id })),
  )
  const own = asked.flatMap(({ at, only }): Moment[] => {
    const before = at <= now ? moments.findLast(each => each.at <= at) : undefined
    return before ? [{ id: '', at, standing: before.standing, only }] : []
  })
  return [...moments, ...own].sort((a, b) => a.at - b.at)
}
