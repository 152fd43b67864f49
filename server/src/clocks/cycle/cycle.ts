import type { Id } from '../../kernel/id.ts'
import type { Definition, Promised } from './clock-definition.ts'

/** How an item stood after a moment, as far as clocks care. */
export interface Standing {
  created: number
  containerId: string
  closed: boolean
  /** Merged into another, or deleted. */
  gone: boolean
  /** Whose turn it is: 0 ours · 1 the requester's · 2 a third party's. */
  waitingOn: number
  /** Its state in the workflow lets clocks rest. */
  resting: boolean
  /** Whether a condition holds: `start` and `target:` with an id also if nothing is asked, `pause!` only if something is. */
  holds(clockId: Id, condition: string): boolean
  /** The moment that `startFrom` names, if the item has one. */
  began(clockId: Id): number | undefined
}

/** What somebody asked for by hand, or a rule. */
export interface Order {
  verb: 'start' | 'pause' | 'resume' | 'stop' | 'reset' | 'switch'
  clockId: Id
  to?: Id
  reason: string
}

export interface Moment {
  /** The event; a moment that no event made has none. */
  id: Id | ''
  at: number
  standing: Standing
  said?: 'message' | 'reply' | 'update'
  order?: Order
  /** Only this clock looks at it: it asked to. */
  only?: Id
}

export interface Pause {
  from: number
  to?: number
  reason: string
}

/** What the walk must know of the time before a cycle. */
export interface Memory {
  /** Somebody has answered at least once. */
  answered: boolean
  /** When the requester spoke last without an answer. */
  unanswered: number | null
  /** Whether the next start may come: after a cancellation it must first be away. */
  armed: boolean
  /** Ended because the item was gone: it goes on should the item return. */
  gone?: boolean
  begun?: Begun
}

/** With what a cycle began. Kept, so that a clock that changes its mind does not undo what has begun. */
export interface Begun {
  cycle: number
  by: Id | ''
  at: number
  clockId: Id
  targetId: string
}

export const freshMemory: Memory = { answered: false, unanswered: null, armed: true }

/** One run of a promise. */
export interface Cycle {
  lane: string
  cycle: number
  startedAt: number
  /** By whose hours and promise it went, from when on. */
  course: { from: number; definition: Definition; promise: Promised }[]
  begun: Begun
  pauses: Pause[]
  ended?: { at: number; by: Id | ''; how: 'met' | 'cancelled'; memory: Memory }
}

/** Where the walk goes on: behind the last cycle that is finished for good. */
export interface Checkpoint {
  cycle: number
  /** The event that ended it; the next cycle may begin with the same. */
  by: Id | ''
  at: number
  memory: Memory
}

/** By whose hours and promise a cycle goes now. */
export function current({ course }: Cycle): Cycle['course'][number] {
  const last = course.at(-1)
  if (!last) throw new Error('a cycle without a clock')
  return last
}

export const isPaused = ({ pauses }: Cycle) => pauses.length > 0 && pauses.at(-1)?.to === undefined

export function wake(cycle: Cycle, at: number): void {
  const pause = cycle.pauses.at(-1)
  if (pause && pause.to === undefined) pause.to = at
}

export function restart(cycle: Cycle, at: number): void {
  cycle.startedAt = at
  const pause = cycle.pauses.at(-1)
  cycle.pauses = pause && pause.to === undefined ? [{ ...pause, from: at }] : []
}
