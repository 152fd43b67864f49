import type { Id } from '../../kernel/id.ts'
import type { ClockDefinition, ClockTarget } from './clock-definition.ts'

/** The state of an item after a moment, as far as clocks depend on it. */
export interface ItemState {
  created: number
  containerId: string
  closed: boolean
  /** Merged into another item, or deleted. */
  gone: boolean
  /** Whose turn it is, see `turn` of tickets. */
  waitingOn: number
  /** Its workflow state pauses clocks. */
  paused: boolean
  /** The clock that the support plan of its customer promises. */
  planClockId: Id | undefined
  /** Whether a condition of a clock holds. An empty condition holds for `start` and `target:<id>`, and does not hold for a name that ends with `!`. */
  holds(clockId: Id, condition: string): boolean
  /** The instant that `startFrom` names, if the item has one. */
  startInstant(clockId: Id): number | undefined
}

/** What a user or a rule commands a clock of an item to do. */
export interface ClockCommand {
  verb: 'start' | 'pause' | 'resume' | 'stop' | 'reset' | 'switch'
  clockId: Id
  to?: Id
  reason: string
}

/** An event in the history of an item, with the state of the item after it. */
export interface ItemMoment {
  /** The id of the event; empty for a moment that a clock itself adds. */
  id: Id | ''
  at: number
  itemState: ItemState
  message?: 'message' | 'reply' | 'update'
  command?: ClockCommand
  /** The only clock that looks at this moment. */
  onlyClockId?: Id
}

export interface Pause {
  from: number
  to?: number
  reason: string
}

/** What a lane must remember of the time before a cycle. Stored as JSON, so the names of its properties are part of the data. */
export interface LaneMemory {
  /** Staff has replied at least once. */
  answered: boolean
  /** When the requester wrote last without getting a reply. */
  unanswered: number | null
  /** Whether the next start condition begins a cycle: after a cancellation the condition must first have been false. */
  armed: boolean
  /** The cycle ended because the item was gone; it continues if the item returns. */
  gone?: boolean
  begun?: CycleStart
}

/** With which event, clock and target a cycle began. Stored, so that a later change of the clock does not undo the start. */
export interface CycleStart {
  cycle: number
  by: Id | ''
  at: number
  clockId: Id
  targetId: string
}

export const emptyMemory: LaneMemory = { answered: false, unanswered: null, armed: true }

/** The clock and the target that a cycle is measured by. */
export interface Measure {
  definition: ClockDefinition
  target: ClockTarget
}

/** One run of a target. */
export interface ClockCycle {
  lane: string
  cycle: number
  startedAt: number
  /** By which clock and target it was measured, from when on. */
  segments: (Measure & { from: number })[]
  begun: CycleStart
  pauses: Pause[]
  ended?: { at: number; by: Id | ''; how: 'met' | 'cancelled'; memory: LaneMemory }
}

/** Where a replay continues: after the last cycle that cannot change any more. */
export interface Checkpoint {
  cycle: number
  /** The event that ended the cycle; the next cycle may begin with the same event. */
  by: Id | ''
  at: number
  memory: LaneMemory
}

/** The clock and the target that measure a cycle now. */
export function currentSegment({ segments }: ClockCycle): ClockCycle['segments'][number] {
  const last = segments.at(-1)
  if (!last) throw new Error('a cycle without a clock')
  return last
}

export const isPaused = ({ pauses }: ClockCycle) => pauses.length > 0 && pauses.at(-1)?.to === undefined

export function endPause(cycle: ClockCycle, at: number): void {
  const pause = cycle.pauses.at(-1)
  if (pause && pause.to === undefined) pause.to = at
}

/** Counts from zero again; a pause that has not ended continues. */
export function restartCycle(cycle: ClockCycle, at: number): void {
  cycle.startedAt = at
  const pause = cycle.pauses.at(-1)
  cycle.pauses = pause && pause.to === undefined ? [{ ...pause, from: at }] : []
}
