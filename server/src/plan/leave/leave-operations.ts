import { Type } from 'typebox'
import { decidesOn, type Leave, leaveState, leaves } from '../../admin/leave/leave.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { bodyOf, type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { Text } from '../../kernel/schema/values.ts'
import { history } from '../../records/history/history.ts'
import { leaveBalance } from './leave-balance.ts'
import { changeLeave, requestLeave } from './leave-requests.ts'

interface Decision {
  state: number
  /** The states that it can follow. */
  after: readonly number[]
  summary: string
  description: string
  /** Users withdraw their own leave; the other decisions are of somebody else. */
  own: boolean
  comment: 'required' | 'optional'
}

const decide = ({ state, after, summary, description, own, comment }: Decision): Operation =>
  operation({
    permission: leaves.permissions.update,
    mode: 'write',
    summary,
    description,
    body: bodyOf(Type.Object({ comment: Type.Optional(Text(500)) }, { additionalProperties: false }), {
      comment: 'Enjoy the sea',
    }),
    reply: { status: 200, schema: leaves.schema, description: 'The leave after the decision.' },
    refusals: [404, 412, 422],
    async run(ctx, { params, body, expect }) {
      const leave = await leaves.get(ctx, params.id ?? '', { lock: true })
      await demandDecision(ctx, leave, own)
      const said = body.comment?.trim() ?? ''
      if (comment === 'required' && said === '')
        throw new Invalid([fault(['comment'], 'required', 'is required: the user has to know why')])
      // A decision that is repeated changes nothing.
      if (leave.state === state) return { body: await withCheck(ctx, leave, leaves.findings), version: leave.version }
      if (!after.includes(leave.state))
        throw new RuleBroken('leave-state', 'the leave is in a state that this decision cannot follow', [], {
          state: leave.state,
        })
      const decided = { decidedBy: ctx.caller.userId, decidedAt: ctx.now.toISOString() }
      const record = await leaves.update(ctx, leave.id, { state, comment: said, ...decided }, { expect })
      return { body: await withCheck(ctx, record, leaves.findings), version: record.version }
    },
  })

async function demandDecision(ctx: Context, { userId }: Leave, own: boolean): Promise<void> {
  const isOwn = userId === ctx.caller.userId
  if (isOwn && own) return
  if (isOwn && !ctx.caller.authority.superAdmin) throw new RuleBroken('own-leave', 'nobody decides on their own leave')
  if (!(await decidesOn(ctx, userId))) throw new Forbidden('the manager of the user decides, or who has leave.approve')
}

const { requested, approved, rejected, cancelled } = leaveState

const approve = decide({
  state: approved,
  after: [requested, rejected],
  summary: 'Approve leave',
  description: 'The days count as absence from now on. Nobody decides on their own leave (422 `own-leave`).',
  own: false,
  comment: 'optional',
})

const reject = decide({
  state: rejected,
  after: [requested, approved],
  summary: 'Reject leave',
  description:
    'Needs a comment. The days do not count as absence. Nobody decides on their own leave (422 `own-leave`).',
  own: false,
  comment: 'required',
})

const cancel = decide({
  state: cancelled,
  after: [requested, approved],
  summary: 'Cancel leave',
  description:
    'Withdraws leave, by the user or by who decides on it. The record stays; the days do not count as absence.',
  own: true,
  comment: 'optional',
})

const stockCreate = create(leaves, requestLeave)
const request: Operation = {
  ...stockCreate,
  summary: 'Request leave',
  description: `${leaves.about} By default for the caller. With the setting \`leave.approval\` somebody else has to approve it, otherwise it is approved at once. Two leaves of a user do not share a half day (422 \`leave-overlap\`); leave on a \`limited\` code must be within the allowance of the year (422 \`leave-balance\`).`,
}

const stockUpdate = update(leaves, changeLeave)
const change: Operation = {
  ...stockUpdate,
  description: `${stockUpdate.description} Other days or another code have to be approved again.`,
}

export const routes: Routes = {
  'GET /time/leave': list(leaves),
  'POST /time/leave': request,
  'PUT /time/leave': change,
  'GET /time/leave/balance': leaveBalance,
  'GET /time/leave/:id': get(leaves),
  'PUT /time/leave/:id': change,
  'PATCH /time/leave/:id': change,
  'DELETE /time/leave/:id': remove(leaves),
  'POST /time/leave/:id/restore': restore(leaves),
  'POST /time/leave/:id/approve': approve,
  'POST /time/leave/:id/reject': reject,
  'POST /time/leave/:id/cancel': cancel,
  'GET /time/leave/:id/history': history(leaves),
  'GET /time/leave/:id/check': check(leaves),
}
