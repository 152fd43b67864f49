import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { recalculateMode } from '../clock/recalculate-mode.ts'
import type { StoredRow } from '../item-clock/item-clock-rows.ts'
import { type ClockDefinition, laneOf } from './clock-definition.ts'
import type { Checkpoint, ClockCycle, CycleStart, ItemMoment } from './cycle.ts'
import { momentsOf } from './item-history.ts'
import { type MeasuredCycle, measure } from './measure.ts'
import { replayLane } from './replay-lane.ts'

/** The cycles of one item that can still change, replayed from its events, and the checkpoints at which the replay began. */
export interface ReplayedItem {
  rows: MeasuredCycle[]
  cycles: ClockCycle[]
  checkpoints: ReadonlyMap<string, Checkpoint>
}

/** Replays the events of items, each lane from its last finished cycle on; `mode` says what is not taken from the stored rows. */
export async function replayItems(
  ctx: Context,
  itemIds: readonly Id[],
  definitions: readonly ClockDefinition[],
  stored: ReadonlyMap<Id, readonly StoredRow[]>,
  mode: number = recalculateMode.keep,
): Promise<Map<Id, ReplayedItem>> {
  const now = ctx.now.getTime()
  const lanes = [...new Set(definitions.flatMap(each => each.targets.map(target => laneOf(each, target))))]
  const checkpoints = new Map(
    itemIds.map(id => [id, checkpointsOf(mode === recalculateMode.all ? [] : (stored.get(id) ?? []))]),
  )
  const since = new Map(
    itemIds.flatMap(id => {
      const first = firstEvent(lanes, checkpoints.get(id))
      return first === undefined ? [] : [[id, first] as const]
    }),
  )
  const moments = lanes.length === 0 ? new Map<Id, ItemMoment[]>() : await momentsOf(ctx, itemIds, definitions, since)
  return new Map(
    itemIds.map(id => {
      const ended = checkpoints.get(id) ?? new Map<string, Checkpoint>()
      const history = withClockMoments(moments.get(id) ?? [], definitions, now)
      const anchors = anchorsOf(mode === recalculateMode.keep ? (stored.get(id) ?? []) : [])
      const cycles = lanes.flatMap(lane => {
        const checkpoint = ended.get(lane)
        return replayLane(lane, definitions, momentsSince(history, checkpoint), {
          checkpoint,
          anchor: anchors.get(lane),
        })
      })
      return [id, { cycles, rows: cycles.map(each => measure(each, now)), checkpoints: ended }]
    }),
  )
}

/** The oldest event that any lane still needs; undefined if a lane needs the whole history. */
function firstEvent(
  lanes: readonly string[],
  checkpoints: ReadonlyMap<string, Checkpoint> | undefined,
): Id | undefined {
  let first: Id | undefined
  for (const lane of lanes) {
    const by = checkpoints?.get(lane)?.by
    if (!by) return undefined
    if (first === undefined || by < first) first = by
  }
  return first
}

/** A cycle that ended because its item was gone is no checkpoint: it continues if the item returns. */
function checkpointsOf(rows: readonly StoredRow[]): Map<string, Checkpoint> {
  const found = new Map<string, Checkpoint>()
  for (const { lane, cycle, endedAt, endedBy, memory } of rows) {
    if (endedAt === null || memory.gone) continue
    if ((found.get(lane)?.cycle ?? 0) < cycle) found.set(lane, { cycle, by: endedBy, at: endedAt, memory })
  }
  return found
}

/** How the cycles began that are not finished. */
function anchorsOf(rows: readonly StoredRow[]): Map<string, CycleStart> {
  const open = rows.filter(({ endedAt, memory }) => endedAt === null || memory.gone)
  return new Map(open.flatMap(({ lane, memory }) => (memory.begun ? [[lane, memory.begun]] : [])))
}

function momentsSince(moments: readonly ItemMoment[], checkpoint: Checkpoint | undefined): readonly ItemMoment[] {
  if (!checkpoint) return moments
  const { by, at } = checkpoint
  return moments.filter(each => (each.id !== '' && by !== '' ? each.id >= by : each.at > at))
}

/** Adds the moments that clocks cause without an event of the item: a clock is deleted, or a new version of it recalculates. */
function withClockMoments(
  moments: readonly ItemMoment[],
  definitions: readonly ClockDefinition[],
  now: number,
): ItemMoment[] {
  const changes = definitions.flatMap(({ clock, gone, versions }) =>
    [
      ...(gone === undefined ? [] : [gone]),
      ...versions.filter(each => each.recalculate > recalculateMode.keep).map(each => Math.max(each.from, each.made)),
    ].map(at => ({ at, clockId: clock.id })),
  )
  const own = changes.flatMap(({ at, clockId }): ItemMoment[] => {
    const before = at <= now ? moments.findLast(each => each.at <= at) : undefined
    return before ? [{ id: '', at, itemState: before.itemState, onlyClockId: clockId }] : []
  })
  return [...moments, ...own].sort((a, b) => a.at - b.at)
}
