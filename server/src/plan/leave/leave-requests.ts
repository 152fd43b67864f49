import {
  absenceKind,
  decidesOn,
  type Leave,
  type LeaveValues,
  leaveState,
  leaves,
  needsApproval,
} from '../../admin/leave/leave.ts'
import { codeKind, nonBillables } from '../../finance/non-billable.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { refuseCode } from '../../time/time.ts'
import { refuseOverdrawn } from './leave-balance.ts'

/** The absence that a code of each kind is; codes of other kinds are not for leave. */
const kindsOfCodes: Readonly<Record<number, number>> = {
  [codeKind.leave]: absenceKind.holiday,
  [codeKind.sick]: absenceKind.illness,
  [codeKind.holiday]: absenceKind.holiday,
  [codeKind.training]: absenceKind.training,
}

/** Requests leave. It is approved at once where nobody has to approve it, or if the caller decides on the leave of this user. */
export async function requestLeave(ctx: Context, values: Partial<LeaveValues>): Promise<Leave> {
  const userId = (values.userId || ctx.caller.userId).toLowerCase()
  const kind = await kindOf(ctx, userId, values)
  const leave = await leaves.create(ctx, { ...values, ...kind, userId, ...(await decisionOn(ctx, userId)) })
  await refuseOverdrawn(ctx, leave)
  return leave
}

const inForce: readonly number[] = [leaveState.requested, leaveState.approved]

/** Changes leave. Other days or another code have to be approved again. */
export async function changeLeave(
  ctx: Context,
  id: Id,
  values: Partial<LeaveValues>,
  more: { expect?: Expect },
): Promise<Leave> {
  const before = await leaves.get(ctx, id, { lock: true })
  if (!inForce.includes(before.state))
    throw new RuleBroken('leave-state', 'leave that was rejected or cancelled cannot change; request it again')
  if (values.userId !== undefined && (values.userId ?? '').toLowerCase() !== before.userId) {
    const message = 'cannot change; request leave for the other user'
    throw new RuleBroken('leave-user', `the user ${message}`, [fault(['userId'], 'leave-user', message, values.userId)])
  }
  const { userId: _, ...wanted } = values
  const patch = { ...wanted, ...(await kindOf(ctx, before.userId, { ...before, ...wanted }, before)) }
  const isOther = (['from', 'to', 'fromHalf', 'toHalf', 'nonBillable', 'kind'] as const).some(
    each => patch[each] !== undefined && patch[each] !== before[each],
  )
  const decision = isOther ? await decisionOn(ctx, before.userId) : {}
  const after = await leaves.update(ctx, id, { ...patch, ...decision }, more)
  if (isOther) await refuseOverdrawn(ctx, after)
  return after
}

/** The kind that follows from the code; a code must be meant for leave and for this user. */
async function kindOf(
  ctx: Context,
  userId: Id,
  { nonBillable }: Partial<LeaveValues>,
  before?: Leave,
): Promise<Partial<LeaveValues>> {
  if (!nonBillable) return {}
  const code = await nonBillables.find(ctx, nonBillable)
  // The reference itself is checked with all others, when the record is written.
  if (!code) return {}
  const kind = kindsOfCodes[code.kind]
  if (kind === undefined) {
    const message = 'must be a code of kind 1 leave, 2 sick, 3 holiday or 4 training'
    throw new RuleBroken('leave-code', `nonBillable ${message}`, [
      fault(['nonBillable'], 'leave-code', message, nonBillable),
    ])
  }
  if (before?.nonBillable !== code.id) await refuseCode(ctx, { nonBillable: code.id, userId })
  return { kind }
}

/** The state of new days, and who decided on them. */
async function decisionOn(ctx: Context, userId: Id): Promise<Partial<LeaveValues>> {
  if (!(await needsApproval(ctx))) return { state: leaveState.approved }
  const own = userId === ctx.caller.userId && !ctx.caller.authority.superAdmin
  if (own || !(await decidesOn(ctx, userId))) return { state: leaveState.requested, decidedBy: '', decidedAt: null }
  return { state: leaveState.approved, decidedBy: ctx.caller.userId, decidedAt: ctx.now.toISOString() }
}
