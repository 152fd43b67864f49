import { cancel as cancelJob } from '../../engine/dispatch/dispatch.ts'
import { items } from '../../items/item/item.ts'
import { everyone, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, history, list } from '../../kernel/crud.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
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

/** Who may change the item asks about it. What is to follow is done with their rights, so it is no more than that. */
async function askByHand(ctx: Context, values: Partial<ApprovalValues>): Promise<Approval> {
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
      description: 'Which one, where several wait for the caller.',
    },
  },
  required: [],
  additionalProperties: false,
}

/** Answering is for the people of the group, whatever their role. */
const answering = permission('item.approve', everyone)

function answers(decision: typeof approvalState.approved | typeof approvalState.rejected, verb: string): Operation {
  const is = verb === 'Approve' ? 'approves as one of' : 'rejects for'
  return operation<{ comment?: string; approvalId?: string }>({
    permission: answering,
    placed: true,
    mode: 'write',
    summary: `${verb} what is asked about an item`,
    description: `The caller ${is} the group that was asked, once; an answer can be given anew while the approval is pending. Only people of the group answer, and not who asked for it unless the group has nobody else. \`quorum\` approvals approve, the first rejection rejects; what follows happens at once, and if the item refuses it the answer is refused with that reason.`,
    body: {
      schema: answerSchema,
      read: reader<{ comment?: string; approvalId?: string }>(answerSchema),
      example: { comment: 'Looks good' },
    },
    reply: { status: 200, schema: approvals.schema, description: 'The approval as it is now.' },
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
    'Nobody is waited for any more, and nothing follows. For who may update the item, and for whose change asked for it.',
  reply: { status: 200, schema: approvals.schema, description: 'The approval as it is now.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const approval = await approvals.get(ctx, params.id ?? '', { lock: true })
    const item = await items.find(ctx, approval.itemId, { deleted: true })
    if (item && approval.askedBy !== ctx.caller.userId) await items.demand(ctx, 'update', item)
    if (approval.state === approvalState.approved || approval.state === approvalState.rejected)
      throw new RuleBroken('approval-decided', 'it was decided already', [], { state: approval.state })
    const after =
      approval.state === approvalState.pending ? await cancelApproval(ctx, approval, 'it is no longer asked') : approval
    await cancelJob(ctx, endingTaskName, approval.id)
    return { body: await withCheck(ctx, after, approvals.findings), version: after.version }
  },
})

export const routes: Routes = {
  'GET /approval': list(approvals),
  'POST /approval': create(approvals, askByHand),
  'GET /approval/:id': get(approvals),
  'GET /approval/:id/history': history(approvals),
  'GET /approval/:id/check': check(approvals),
  'POST /approval/:id/cancel': cancel,
  'POST /item/:id/approve': answers(approvalState.approved, 'Approve'),
  'POST /item/:id/reject': answers(approvalState.rejected, 'Reject'),
}
