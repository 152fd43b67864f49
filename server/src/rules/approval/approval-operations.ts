import { cancel as cancelJob } from '../../engine/dispatch/dispatch.ts'
import { items } from '../../items/item/item.ts'
import { everyone, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list } from '../../kernel/crud.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { history } from '../../records/history/history.ts'
import {
  type Approval,
  type ApprovalValues,
  approvalState,
  approvals,
  ask,
  cancelApproval,
  endingTaskName,
} from './approval.ts'
import { readConsequence, refuseBeyondItem } from './consequence.ts'
import { answer } from './decide.ts'

/** Requests an approval without a rule. It needs the permission to update the item, and its consequences are limited to the item. */
async function requestManually(ctx: Context, values: Partial<ApprovalValues>): Promise<Approval> {
  const { itemId = '', groupId = '' } = values
  const item = await items.find(ctx, itemId)
  if (item) await items.demand(ctx, 'update', item)
  for (const property of ['onApprove', 'onReject'] as const)
    refuseBeyondItem(readConsequence(values[property], property), property)
  return (await ask(ctx, { ...values, itemId, groupId, askedBy: ctx.caller.userId })).approval
}

const answerSchema: Schema = {
  type: 'object',
  properties: {
    comment: { type: 'string', maxLength: 2000 },
    approvalId: {
      type: 'string',
      maxLength: 36,
      'x-ref': 'Approval',
      description: 'Required if several approvals of the item wait for the caller.',
    },
  },
  required: [],
  additionalProperties: false,
}

/** Every role may answer, because membership in the asked group decides. */
const answering = permission('item.approve', everyone)

function answers(decision: typeof approvalState.approved | typeof approvalState.rejected, verb: string): Operation {
  return operation<{ comment?: string; approvalId?: string }>({
    permission: answering,
    placed: true,
    mode: 'write',
    summary: `${verb} a pending approval of an item`,
    description: `Stores the vote of the caller; a vote can be changed while the approval is pending. Only members of the asked group vote, and the requester only if the group has no other member. \`quorum\` approvals approve, the first rejection rejects. The consequence is carried out at once; if the item refuses it, the vote is refused with that reason.`,
    body: {
      schema: answerSchema,
      read: reader<{ comment?: string; approvalId?: string }>(answerSchema),
      example: { comment: 'Looks good' },
    },
    reply: { status: 200, schema: approvals.schema, description: 'The updated approval.' },
    refusals: [404, 422],
    async run(ctx, { params, body }) {
      const { comment = '', approvalId = '' } = body
      const approval = await answer(ctx, params.id ?? '', { decision, comment, approvalId })
      return { body: await withCheck(ctx, approval, approvals.findings), version: approval.version }
    },
  })
}

const cancel = operation({
  permission: approvals.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Cancel an approval',
  description:
    'Cancels a pending approval; no consequence is carried out. Allowed for users who may update the item, and for the requester.',
  reply: { status: 200, schema: approvals.schema, description: 'The updated approval.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const approval = await approvals.get(ctx, params.id ?? '', { lock: true })
    const item = await items.find(ctx, approval.itemId, { deleted: true })
    if (item && approval.askedBy !== ctx.caller.userId) await items.demand(ctx, 'update', item)
    if (approval.state === approvalState.approved || approval.state === approvalState.rejected)
      throw new RuleBroken('approval-decided', 'the approval is already decided', [], { state: approval.state })
    const after =
      approval.state === approvalState.pending
        ? await cancelApproval(ctx, approval, 'the request was cancelled')
        : approval
    await cancelJob(ctx, endingTaskName, approval.id)
    return { body: await withCheck(ctx, after, approvals.findings), version: after.version }
  },
})

export const routes: Routes = {
  'GET /approval': list(approvals),
  'POST /approval': create(approvals, requestManually),
  'GET /approval/:id': get(approvals),
  'GET /approval/:id/history': history(approvals),
  'GET /approval/:id/check': check(approvals),
  'POST /approval/:id/cancel': cancel,
  'POST /item/:id/approve': answers(approvalState.approved, 'Approve'),
  'POST /item/:id/reject': answers(approvalState.rejected, 'Reject'),
}
