import type { Id } from '../../kernel/id.ts'
import { type Definition, kindOf } from './clock-definition.ts'
import { type Cycle, current, isPaused, type Moment, type Standing } from './cycle.ts'

// What a moment means for a promise: whether it is kept, over, or rests. Each kind of promise is about something else.

/** How and when a cycle ends. */
export interface Ending {
  at: number
  id: Id | ''
  how: 'met' | 'cancelled'
  gone?: boolean
  byHand?: boolean
}

/** How a moment ends what runs, if it does. */
export function ending({ definition, promise }: Cycle['course'][number], moment: Moment): Ending | undefined {
  const { at, id, standing, said } = moment
  const { clock, gone } = definition
  if (gone !== undefined && gone <= at) return { at: gone, id, how: 'cancelled' }
  if (standing.holds(clock.id, 'cancel!')) return { at, id, how: 'cancelled' }
  if (isKept(promise.kind, said) || standing.holds(clock.id, 'stop!')) return { at, id, how: 'met' }
  if (!hasEnded(definition, promise.kind, standing)) return undefined
  return { at, id, how: isDialogue(promise.kind) ? 'cancelled' : 'met' }
}

/** Promises about what is said: to answer, to answer again, to tell how it goes. */
const isDialogue = (kind: number) =>
  kind === kindOf.firstResponse || kind === kindOf.nextResponse || kind === kindOf.update

function isKept(kind: number, said: Moment['said']): boolean {
  if (kind === kindOf.update) return said === 'reply' || said === 'update'
  return isDialogue(kind) && said === 'reply'
}

/** Whether there is nothing more to measure: by the clock's own condition, else when the work is done. */
export function hasEnded({ clock }: Definition, kind: number, standing: Standing): boolean {
  return !isDialogue(kind) && clock.stop.length > 0 ? standing.holds(clock.id, 'stop!') : standing.closed
}

/** Why a cycle rests at this moment, if it does. */
export function restReason(cycle: Cycle, standing: Standing): string | undefined {
  const { definition, promise } = current(cycle)
  const { clock } = definition
  const turn = standing.waitingOn
  if (promise.kind === kindOf.requesterWait && turn !== 1) return 'not waiting for the requester'
  if (promise.kind === kindOf.agentWork && turn !== 0) return 'not our turn'
  if (clock.pause.length === 0) {
    if (standing.resting) return 'the state rests'
    const waits = promise.kind !== kindOf.requesterWait && !isDialogue(promise.kind) && turn > 0
    return waits ? (turn === 1 ? 'waiting for the requester' : 'waiting for a third party') : undefined
  }
  const resumes = clock.resume.length > 0 && standing.holds(clock.id, 'resume!')
  const pauses = standing.holds(clock.id, 'pause!')
  const stays = clock.resume.length > 0 ? isPaused(cycle) && !resumes : false
  return (pauses && !resumes) || stays ? 'the pause condition' : undefined
}
