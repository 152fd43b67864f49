import type { Id } from '../../kernel/id.ts'
import { type Definition, definitionById, kindOf, laneOf, type Promised } from './clock-definition.ts'
import {
  type Begun,
  type Checkpoint,
  type Cycle,
  current,
  freshMemory,
  isPaused,
  type Memory,
  type Moment,
  type Order,
  restart,
  type Standing,
  wake,
} from './cycle.ts'
import { type Ending, ending, hasEnded, restReason } from './target-outcome.ts'

// What became of a promise, from what happened to the item: a pure walk along its moments, oldest first. How much time
// that was is worked out afterwards (`measure.ts`), so that hours and history stay apart.

/** The cycles of a lane since its checkpoint. */
export function foldLane(
  lane: string,
  all: readonly Definition[],
  moments: readonly Moment[],
  { checkpoint, anchor: kept }: { checkpoint?: Checkpoint | undefined; anchor?: Begun | undefined } = {},
): Cycle[] {
  const candidates = all.filter(each => each.promises.some(promise => laneOf(each, promise) === lane))
  const anchor = candidates.some(each => each.clock.id === kept?.clockId) ? kept : undefined
  const cycles: Cycle[] = []
  let memory: Memory = { ...(checkpoint?.memory ?? freshMemory) }
  let open: Cycle | undefined
  let pinned = false
  let byHand: 'paused' | 'resumed' | undefined
  let resetHeld = false
  let made = checkpoint?.cycle ?? 0

  for (const moment of moments) {
    const { at, standing, said, order } = moment
    const resumed = checkpoint !== undefined && moment.id !== '' && moment.id === checkpoint.by
    if (!resumed) {
      if (said === 'message') memory.unanswered ??= at
      if (said === 'reply') memory = { ...memory, answered: true, unanswered: null }
      if (open) step(open, moment)
    }
    if (!open && !standing.gone) begin(moment, resumed ? undefined : order)
  }
  return cycles

  /** The first clock, in their order, that is for this item now. */
  function applying({ at, standing, only }: Moment): { definition: Definition; promise: Promised } | undefined {
    for (const definition of candidates) {
      const { clock, since, gone = Number.POSITIVE_INFINITY } = definition
      if (!clock.active || at < since || at >= gone || (only !== undefined && only !== clock.id)) continue
      if (clock.container.length > 0 && !clock.container.includes(standing.containerId)) continue
      if (!standing.holds(clock.id, 'start')) continue
      const promise = promiseOf(definition, standing)
      if (promise) return { definition, promise }
    }
    return undefined
  }

  function promiseOf(definition: Definition, standing: Standing): Promised | undefined {
    return definition.promises.find(
      each => laneOf(definition, each) === lane && standing.holds(definition.clock.id, `target:${each.id}`),
    )
  }

  function begin(moment: Moment, order: Order | undefined): void {
    const { at, standing, id } = moment
    const wanted = order?.verb === 'start' ? ordered(order.clockId, standing) : undefined
    const anchored = anchor && made < anchor.cycle ? anchoredAt(anchor, moment) : undefined
    const found = anchored ?? wanted ?? applying(moment)
    const over = found && hasEnded(found.definition, found.promise.kind, standing)
    if (!found || over) memory.armed = true
    if (!found || (anchor && made === anchor.cycle - 1 && !anchored)) return
    const { definition, promise } = found
    const { clock } = definition
    const due = !over && memory.armed && isAsked(promise.kind) && !standing.holds(clock.id, 'cancel!')
    if (!anchored && !wanted && !due) return
    const cycle: Cycle = {
      lane,
      cycle: ++made,
      startedAt: wanted ? at : startOf(definition, moment),
      course: [{ from: Number.NEGATIVE_INFINITY, definition, promise }],
      begun: { cycle: made, by: id, at, clockId: clock.id, targetId: promise.id },
      pauses: [],
    }
    cycles.push(cycle)
    open = cycle
    pinned = wanted !== undefined
    byHand = undefined
    resetHeld = standing.holds(clock.id, 'reset!')
    if (promise.kind === kindOf.firstResponse && memory.answered) finish(cycle, { at, id, how: 'met' })
    else rest(cycle, moment)
  }

  /** What the cycle began with when it began, at that very moment. */
  function anchoredAt({ by, at, clockId, targetId }: Begun, moment: Moment) {
    if (by === '' ? moment.at !== at : moment.id !== by) return undefined
    const definition = definitionById(candidates, clockId)
    const own = definition?.promises.filter(each => laneOf(definition, each) === lane) ?? []
    const promise = own.find(each => each.id === targetId) ?? own[0]
    return definition && promise ? { definition, promise } : undefined
  }

  /** Whether what a kind of promise is about has come up. */
  function isAsked(kind: number): boolean {
    if (kind === kindOf.firstResponse) return made === 0
    return kind !== kindOf.nextResponse || (memory.answered && memory.unanswered !== null)
  }

  function startOf({ clock }: Definition, { at, standing }: Moment): number {
    if (clock.startFrom === 'created' && made === 1) return Math.min(standing.created, at)
    if (clock.startFrom.startsWith('field:')) return Math.min(standing.began(clock.id) ?? at, at)
    return at
  }

  function ordered(clockId: Id, standing: Standing) {
    const definition = definitionById(candidates, clockId)
    const promise = definition && promiseOf(definition, standing)
    return definition && promise ? { definition, promise } : undefined
  }

  function step(cycle: Cycle, moment: Moment): void {
    const { at, id, standing, order } = moment
    if (standing.gone) finish(cycle, { at, id, how: 'cancelled', gone: true })
    else obey(cycle, moment, order)
    if (cycle.ended) return
    const next = pinned ? undefined : applying(moment)
    const now = current(cycle)
    if (next && (next.definition !== now.definition || next.promise.id !== now.promise.id))
      cycle.course.push({ from: at, ...next })
    const end = ending(current(cycle), moment)
    if (end) finish(cycle, end)
    if (cycle.ended) return
    const resets = standing.holds(current(cycle).definition.clock.id, 'reset!')
    if (resets && !resetHeld) restart(cycle, at)
    resetHeld = resets
    rest(cycle, moment)
  }

  function obey(cycle: Cycle, { at, id, standing }: Moment, order: Order | undefined): void {
    if (!order || order.clockId !== current(cycle).definition.clock.id) return
    if (order.verb === 'pause') {
      byHand = 'paused'
      if (!isPaused(cycle)) cycle.pauses.push({ from: at, reason: order.reason || 'by hand' })
    } else if (order.verb === 'resume') {
      byHand = 'resumed'
      wake(cycle, at)
    } else if (order.verb === 'stop') finish(cycle, { at, id, how: 'met', byHand: true })
    else if (order.verb === 'reset') restart(cycle, at)
    else if (order.verb === 'switch' && order.to) {
      const next = ordered(order.to, standing)
      if (!next) return
      cycle.course.push({ from: at, ...next })
      pinned = true
    }
  }

  /** Pauses or goes on, as the moment asks. */
  function rest(cycle: Cycle, { at, standing }: Moment): void {
    const reason = restReason(cycle, standing)
    if (byHand === 'paused') return
    if (byHand === 'resumed') {
      // Who lets it go on by hand is believed until the reason to rest has once been away.
      if (reason === undefined) byHand = undefined
      return
    }
    if (reason === undefined) wake(cycle, at)
    else if (!isPaused(cycle)) cycle.pauses.push({ from: at, reason })
  }

  function finish(cycle: Cycle, { at, id, how, gone, byHand: stopped }: Ending): void {
    const end = Math.max(at, cycle.startedAt)
    wake(cycle, end)
    memory = { ...memory, armed: how === 'met' && !stopped }
    if (gone) memory.gone = true
    cycle.ended = { at: end, by: id, how, memory: gone ? { ...memory, begun: cycle.begun } : { ...memory } }
    open = undefined
  }
}
