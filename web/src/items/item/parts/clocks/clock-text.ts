import { codes, type ItemClock } from '@gantry/sdk'
import { durationText } from '../../../../kernel/dates/durations.ts'
import type { ClockTone } from '../../../clock-badge.tsx'
import { say } from '../messages.ts'

const { clockState, clockTargetKind } = codes

export function clockTone(state: number): ClockTone {
  if (state === clockState.amber) return 'soon'
  if (state === clockState.red || state === clockState.metLate) return 'late'
  if (state === clockState.met) return 'met'
  return state === clockState.green ? 'ok' : 'paused'
}

const minutes = (seconds: number) => durationText(Math.round(Math.abs(seconds) / 60))

/** `1h 20m left`, `12m late`, `met in 29m` */
export function clockText({ state, remaining, elapsed, breachSeconds = 0 }: ItemClock): string {
  if (state === clockState.met) return say.met(minutes(elapsed))
  if (state === clockState.metLate) return say.metLate(minutes(breachSeconds))
  if (state === clockState.paused) return say.paused
  if (state === clockState.notStarted) return say.notStarted
  if (state === clockState.cancelled) return say.cancelled
  return remaining < 0 ? say.late(minutes(remaining)) : say.left(minutes(remaining))
}

/** What was promised, by the code of its kind. */
export function promiseText(kind: number): string {
  const texts: Readonly<Record<number, string>> = {
    [clockTargetKind.custom]: say.promise,
    [clockTargetKind.firstResponse]: say.firstResponse,
    [clockTargetKind.nextResponse]: say.nextResponse,
    [clockTargetKind.update]: say.update,
    [clockTargetKind.resolution]: say.resolution,
    [clockTargetKind.requesterWait]: say.requesterWait,
    [clockTargetKind.agentWork]: say.agentWork,
  }
  return texts[kind] ?? say.promise
}
