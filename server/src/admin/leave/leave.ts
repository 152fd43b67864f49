// Leave: the record, the days that it takes, and how users show it as their absences. Requests and decisions are in plan/leave.

export { absenceKind } from '../user/dated-entries.ts'
export { absentDaysOf } from './absence.ts'
export { needsApproval } from './leave-approval.ts'
export { approveLeave, decidesOn, type Leave, type LeaveValues, leaveState, leaves } from './leave-record.ts'
export { dayHalf, isAwayAt, type LeaveSpan, takenOn } from './leave-span.ts'
