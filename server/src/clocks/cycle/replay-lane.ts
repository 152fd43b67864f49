import { targetKind } from '../clock/target-kind.ts'
import type { ClockDefinition } from './clock-definition.ts'
import {
  type Checkpoint,
  type ClockCommand,
  type ClockCycle,
  type CycleStart,
  currentSegment,
  emptyMemory,
  endPause,
  type ItemMoment,
  isPaused,
  type LaneMemory,
  type Measure,
  restartCycle,
} from './cycle.ts'
import { LaneCandidates } from './lane-candidates.ts'
import { type CycleEnd, endOf, hasEnded, pauseReason } from './target-outcome.ts'

/** What is stored of a lane: its last finished cycle, and how its open cycle began. */
interface StoredLane {
  checkpoint?: Checkpoint | undefined
  anchor?: CycleStart | undefined
}

/**
 * Replays the history of an item on one lane, oldest moment first, and returns the cycles since the checkpoint. It only
 * decides when cycles start, pause and end; `measure.ts` counts their time afterwards.
 */
export function replayLane(
  lane: string,
  definitions: readonly ClockDefinition[],
  moments: readonly ItemMoment[],
  stored: StoredLane = {},
): ClockCycle[] {
  const replay = new LaneReplay(new LaneCandidates(lane, definitions), stored)
  for (const moment of moments) replay.apply(moment)
  return replay.cycles
}

class LaneReplay {
  readonly cycles: ClockCycle[] = []
  readonly #candidates: LaneCandidates
  readonly #checkpoint: Checkpoint | undefined
  /** How the open cycle began. It begins so again, even if the clock has changed since. */
  readonly #anchor: CycleStart | undefined
  #memory: LaneMemory
  #open: ClockCycle | undefined
  /** The number of the last cycle. */
  #count: number
  /** A command chose the clock, so that no other clock takes over. */
  #pinned = false
  #manual: 'paused' | 'resumed' | undefined
  /** Whether the reset condition held at the moment before: only its becoming true restarts the cycle. */
  #resetHeld = false

  constructor(candidates: LaneCandidates, { checkpoint, anchor }: StoredLane) {
    this.#candidates = candidates
    this.#checkpoint = checkpoint
    this.#anchor = anchor && candidates.has(anchor.clockId) ? anchor : undefined
    this.#memory = { ...(checkpoint?.memory ?? emptyMemory) }
    this.#count = checkpoint?.cycle ?? 0
  }

  apply(moment: ItemMoment): void {
    const { id, at, itemState, message, command } = moment
    // The event that ended the checkpoint's cycle was applied already; it can only begin the next cycle.
    const applied = this.#checkpoint !== undefined && id !== '' && id === this.#checkpoint.by
    if (!applied) {
      if (message === 'message') this.#memory.unanswered ??= at
      if (message === 'reply') this.#memory = { ...this.#memory, answered: true, unanswered: null }
      if (this.#open) this.#continue(this.#open, moment)
    }
    if (!this.#open && !itemState.gone) this.#begin(moment, applied ? undefined : command)
  }

  #begin(moment: ItemMoment, command: ClockCommand | undefined): void {
    const { at, itemState, id } = moment
    const commanded = command?.verb === 'start' ? this.#candidates.named(command.clockId, itemState) : undefined
    const anchor = this.#anchor
    const anchored = anchor && this.#count < anchor.cycle ? this.#candidates.startedAt(anchor, moment) : undefined
    const found = anchored ?? commanded ?? this.#candidates.applying(moment)
    const over = found && hasEnded(found.definition, found.target.kind, itemState)
    if (!found || over) this.#memory.armed = true
    if (!found || (anchor && this.#count === anchor.cycle - 1 && !anchored)) return
    const { definition, target } = found
    const { clock } = definition
    const due = !over && this.#memory.armed && this.#isDue(target.kind) && !itemState.holds(clock.id, 'cancel!')
    if (!anchored && !commanded && !due) return
    this.#count++
    const cycle: ClockCycle = {
      lane: this.#candidates.lane,
      cycle: this.#count,
      startedAt: commanded ? at : this.#startOf(found, moment),
      segments: [{ from: Number.NEGATIVE_INFINITY, definition, target }],
      begun: { cycle: this.#count, by: id, at, clockId: clock.id, targetId: target.id },
      pauses: [],
    }
    this.cycles.push(cycle)
    this.#open = cycle
    this.#pinned = commanded !== undefined
    this.#manual = undefined
    this.#resetHeld = itemState.holds(clock.id, 'reset!')
    if (target.kind === targetKind.firstResponse && this.#memory.answered) this.#finish(cycle, { at, id, how: 'met' })
    else this.#updatePause(cycle, moment)
  }

  /** Whether there is something to measure for a target of this kind: a response needs a message. */
  #isDue(kind: number): boolean {
    if (kind === targetKind.firstResponse) return this.#count === 0
    return kind !== targetKind.nextResponse || (this.#memory.answered && this.#memory.unanswered !== null)
  }

  #startOf({ definition: { clock } }: Measure, { at, itemState }: ItemMoment): number {
    if (clock.startFrom === 'created' && this.#count === 1) return Math.min(itemState.created, at)
    if (clock.startFrom.startsWith('field:')) return Math.min(itemState.startInstant(clock.id) ?? at, at)
    return at
  }

  #continue(cycle: ClockCycle, moment: ItemMoment): void {
    const { at, id, itemState } = moment
    if (itemState.gone) this.#finish(cycle, { at, id, how: 'cancelled', gone: true })
    else this.#applyCommand(cycle, moment)
    if (cycle.ended) return
    const next = this.#pinned ? undefined : this.#candidates.applying(moment)
    const now = currentSegment(cycle)
    if (next && (next.definition !== now.definition || next.target.id !== now.target.id))
      cycle.segments.push({ from: at, ...next })
    const end = endOf(currentSegment(cycle), moment)
    if (end) this.#finish(cycle, end)
    if (cycle.ended) return
    const resets = itemState.holds(currentSegment(cycle).definition.clock.id, 'reset!')
    if (resets && !this.#resetHeld) restartCycle(cycle, at)
    this.#resetHeld = resets
    this.#updatePause(cycle, moment)
  }

  #applyCommand(cycle: ClockCycle, { at, id, itemState, command }: ItemMoment): void {
    if (!command || command.clockId !== currentSegment(cycle).definition.clock.id) return
    if (command.verb === 'pause') {
      this.#manual = 'paused'
      if (!isPaused(cycle)) cycle.pauses.push({ from: at, reason: command.reason || 'by hand' })
    } else if (command.verb === 'resume') {
      this.#manual = 'resumed'
      endPause(cycle, at)
    } else if (command.verb === 'stop') this.#finish(cycle, { at, id, how: 'met', manual: true })
    else if (command.verb === 'reset') restartCycle(cycle, at)
    else if (command.verb === 'switch' && command.to) {
      const next = this.#candidates.named(command.to, itemState)
      if (!next) return
      cycle.segments.push({ from: at, ...next })
      this.#pinned = true
    }
  }

  #updatePause(cycle: ClockCycle, { at, itemState }: ItemMoment): void {
    const reason = pauseReason(cycle, itemState)
    if (this.#manual === 'paused') return
    if (this.#manual === 'resumed') {
      // A manual resume overrides the reason to pause until that reason has ceased once.
      if (reason === undefined) this.#manual = undefined
      return
    }
    if (reason === undefined) endPause(cycle, at)
    else if (!isPaused(cycle)) cycle.pauses.push({ from: at, reason })
  }

  #finish(cycle: ClockCycle, { at, id, how, gone, manual }: CycleEnd): void {
    const end = Math.max(at, cycle.startedAt)
    endPause(cycle, end)
    this.#memory = { ...this.#memory, armed: how === 'met' && !manual }
    if (gone) this.#memory.gone = true
    const memory = gone ? { ...this.#memory, begun: cycle.begun } : { ...this.#memory }
    cycle.ended = { at: end, by: id, how, memory }
    this.#open = undefined
  }
}
