import { waitingParty } from '../../desk/ticket/ticket.ts'
import type { Id } from '../../kernel/id.ts'
import { targetKind } from '../clock/target-kind.ts'
import type { ClockDefinition } from './clock-definition.ts'
import { type ClockCycle, currentSegment, type ItemMoment, type ItemState, isPaused, type Measure } from './cycle.ts'

// What a moment means for a target: whether the target is met, its cycle ends, or its cycle pauses. Each kind of target
// measures something else.

/** How and when a cycle ends. */
export interface CycleEnd {
  at: number
  id: Id | ''
  how: 'met' | 'cancelled'
  gone?: boolean
  manual?: boolean
}

/** How a moment ends a running cycle, if it does. */
export function endOf({ definition, target }: Measure, moment: ItemMoment): CycleEnd | undefined {
  const { at, id, itemState, message } = moment
  const { clock, gone } = definition
  if (gone !== undefined && gone <= at) return { at: gone, id, how: 'cancelled' }
  if (itemState.holds(clock.id, 'cancel!')) return { at, id, how: 'cancelled' }
  if (isMetBy(target.kind, message) || itemState.holds(clock.id, 'stop!')) return { at, id, how: 'met' }
  if (!hasEnded(definition, target.kind, itemState)) return undefined
  return { at, id, how: isConversation(target.kind) ? 'cancelled' : 'met' }
}

/** Targets that a message meets: the first response, the next response, the periodic update. */
const isConversation = (kind: number) =>
  kind === targetKind.firstResponse || kind === targetKind.nextResponse || kind === targetKind.update

function isMetBy(kind: number, message: ItemMoment['message']): boolean {
  if (kind === targetKind.update) return message === 'reply' || message === 'update'
  return isConversation(kind) && message === 'reply'
}

/** Whether nothing is left to measure: by the clock's stop condition if it has one, else when the item is closed. */
export function hasEnded({ clock }: ClockDefinition, kind: number, itemState: ItemState): boolean {
  return !isConversation(kind) && clock.stop.length > 0 ? itemState.holds(clock.id, 'stop!') : itemState.closed
}

/** Why a cycle pauses at this moment, if it does. */
export function pauseReason(cycle: ClockCycle, itemState: ItemState): string | undefined {
  const { definition, target } = currentSegment(cycle)
  const { clock } = definition
  const { waitingOn } = itemState
  if (target.kind === targetKind.requesterWait && waitingOn !== waitingParty.requester)
    return 'not waiting for the requester'
  if (target.kind === targetKind.agentWork && waitingOn !== waitingParty.ours) return 'it is not the turn of staff'
  if (clock.pause.length === 0) {
    if (itemState.paused) return 'the workflow state pauses clocks'
    const waits =
      target.kind !== targetKind.requesterWait && !isConversation(target.kind) && waitingOn > waitingParty.ours
    if (!waits) return undefined
    return waitingOn === waitingParty.requester ? 'waiting for the requester' : 'waiting for a third party'
  }
  const resumes = clock.resume.length > 0 && itemState.holds(clock.id, 'resume!')
  const pauses = itemState.holds(clock.id, 'pause!')
  // With a resume condition, a pause lasts until that condition holds.
  const stays = clock.resume.length > 0 && isPaused(cycle) && !resumes
  return (pauses && !resumes) || stays ? 'the pause condition' : undefined
}
