import { codeTableOfCodes } from './code-table.ts'

/** The codes of a target's `kind`. */
export const targetKind = {
  custom: 0,
  firstResponse: 1,
  nextResponse: 2,
  update: 3,
  resolution: 4,
  requesterWait: 5,
  agentWork: 6,
} as const
export const targetKinds = codeTableOfCodes('clock.target.kind', targetKind)

/** The codes of an item clock's `state`. */
export const clockState = {
  notStarted: 0,
  green: 1,
  amber: 2,
  red: 3,
  paused: 4,
  met: 5,
  metLate: 6,
  cancelled: 7,
} as const
export const clockStates = codeTableOfCodes('clock.state', clockState)

/** The codes of `thresholdMode`: what the thresholds of a clock are compared with. */
export const thresholdMode = { elapsed: 0, percent: 1, remaining: 2 } as const
export const thresholdModes = codeTableOfCodes('clock.thresholdMode', thresholdMode)
