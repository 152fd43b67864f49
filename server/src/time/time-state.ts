import { codeTableOfCodes } from '../records/code-table.ts'

/** The codes of `state` of a time entry. */
export const timeState = {
  draft: 0,
  logged: 1,
  submitted: 2,
  approved: 3,
  rejected: 4,
  invoiced: 5,
  locked: 6,
} as const
export const timeStates = codeTableOfCodes('time.state', timeState)

/** Entries in these states cannot be changed, because others rely on them. */
export const lockedStates: readonly number[] = [timeState.approved, timeState.invoiced, timeState.locked]

/** Entries in these states stay where they are. */
export const closedStates: readonly number[] = [timeState.submitted, ...lockedStates]

/** The codes of `source` of a time entry: how it was booked. The codes from 2 to 7 are free. */
export const timeSource = { ui: 0, api: 1, timer: 8, grid: 9, correction: 10 } as const

/** The codes of `billable` of a time entry; by default the container decides. */
export const timeBillable = { no: 0, yes: 1, asContainer: 2 } as const
/** The codes of `isBillable` in reports, where the container has decided. */
export const billed = codeTableOfCodes('report.isBillable', { no: 0, yes: 1 })
export const billables = codeTableOfCodes('time.billable', timeBillable)
