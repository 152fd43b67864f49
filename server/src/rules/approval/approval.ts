import { Type } from 'typebox'
import { isStaffAtItem } from '../../desk/annotation/annotation.ts'
import { enqueue } from '../../engine/dispatch/dispatch.ts'
import { items, visibleItems } from '../../items/item/item.ts'
import { type Caller, everyone, managers, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Finding, Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { ActingScopes, Count, Instant, Parts, Ref, Text } from '../../kernel/schema/values.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { notify } from '../../notify/inbox/inbox.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { activeAmong } from '../rule/actions/people.ts'
import { inertConsequences, readConsequence } from './consequence.ts'

/** The codes of `state`. */
export const approvalState = { pending: 0, approved: 1, rejected: 2, cancelled: 3 } as const
const approvalStates = codeTableOfCodes('approval.state', approvalState)

const vote = {
  userId: Text(36),
  decision: Code(approvalStates, { description: '1 approved · 2 rejected.' }),
  comment: Text(2000),
  at: Instant,
}

const consequence =
  'a step or a state of the workflow (as action 6 takes it), or a list of actions as in `actionValue` of rules'

const shape = {
  itemId: Ref('Item'),
  groupId: Ref('UserGroup', { description: 'The group whose members vote, including its subgroups.' }),
  quorum: Count(1000),
  state: Code(approvalStates, { description: '0 pending · 1 approved · 2 rejected · 3 cancelled.' }),
  text: Text(2000, { description: 'The question to the group.' }),
  votes: Parts(vote),
  onApprove: Type.Unsafe<unknown>({ description: `The consequence of an approval: ${consequence}.` }),
  onReject: Type.Unsafe<unknown>({ description: `The consequence of a rejection: ${consequence}.` }),
  until: Instant,
  askedBy: Ref('User', {
    description: 'The user whose change requested it; they vote only if the group has no other member.',
  }),
  ruleId: Text(36, { description: 'The rule that requested it.' }),
  decidedAt: Instant,
  scopes: ActingScopes,
}

export type Approval = Stored<typeof shape>
export type ApprovalValues = Values<typeof shape>

/** A request to a group to approve something about an item. */
export const approvals = resource('Approval', {
  about:
    'A request to a group to approve something about an item, made by a rule or by a user who may update the item. It is approved as soon as `quorum` (0 means 1) members approve, and rejected with the first rejection.',
  shape,
  required: ['itemId', 'groupId'],
  serverSet: ['state', 'votes', 'askedBy', 'ruleId', 'decidedAt', 'scopes'],
  may: { read: everyone, create: members, update: members, delete: managers },
  placed: true,
  visible: visibleApprovals,
  findings: inertParts,
  example: {
    itemId: '01890000-0000-7000-8000-000000000000',
    groupId: '01890000-0000-7000-8000-000000000001',
    onApprove: 'Approved',
  },
})

/** Approvals are visible to staff who see the item; to other users only if they requested it or belong to the group. */
function visibleApprovals(caller: Caller, a: Sql): Sql {
  const i = raw('i')
  const { userId, authority } = caller
  const own = sql`${a}.asked_by = ${userId} or ${a}.group_id = any(${authority.groups}::uuid[])`
  return sql`exists (select 1 from item i where i.tenant_id = ${ownTenant} and i.id = ${a}.item_id and ${visibleItems(caller, i)} and (${isStaffAtItem(caller, i)} or ${own}))`
}

function inertParts({ onApprove, onReject }: Approval): Finding[] {
  return [...inertConsequences(onApprove, 'onApprove'), ...inertConsequences(onReject, 'onReject')]
}

/** Returns the required number of approvals. */
export const needed = ({ quorum }: Pick<Approval, 'quorum'>): number => Math.max(1, quorum)

/** Returns who may vote: the members of the group without the requester (four-eyes principle), unless there is nobody else. */
export async function votersOf(
  ctx: Context,
  { groupId, askedBy }: Pick<Approval, 'groupId' | 'askedBy'>,
): Promise<Id[]> {
  const all = await activeAmong(ctx, [groupId])
  const others = all.filter(id => id !== askedBy)
  return others.length > 0 ? others : all
}

/** The name of the task that cancels an approval when its time is over or its item is deleted or merged. */
export const endingTaskName = 'approval-ending'

type ApprovalInput = Partial<ApprovalValues> & Pick<ApprovalValues, 'itemId' | 'groupId'>

/** Creates an approval and notifies its voters. A rule with a pending approval for the item gets that one. */
export async function ask(ctx: Context, input: ApprovalInput): Promise<{ approval: Approval; fresh: boolean }> {
  const item = await items.find(ctx, input.itemId, { lock: true })
  if (item?.mergedInto)
    throw new RuleBroken('item-merged', 'the item was merged into another', [], { mergedInto: item.mergedInto })
  const known = item && input.ruleId ? await pendingOfRule(ctx, item.id, input.ruleId) : undefined
  if (known) return { approval: known, fresh: false }
  const until = input.until ?? null
  if (until !== null && Date.parse(until) <= ctx.now.getTime())
    throw new Invalid([fault(['until'], 'past', 'must be in the future', until)])
  const approval = await approvals.create(
    ctx,
    {
      ...input,
      until,
      scopes: [...ctx.caller.scopes],
      onApprove: readConsequence(input.onApprove, 'onApprove'),
      onReject: readConsequence(input.onReject, 'onReject'),
    },
    { verb: 'requested' },
  )
  const voters = await votersOf(ctx, approval)
  if (voters.length < needed(approval)) throw unreachable(approval, voters.length)
  await endInTime(ctx, approval)
  const { itemId, ruleId, text } = approval
  await notify(ctx, {
    ...{ to: voters, itemId, ruleId, name: 'approval.requested' },
    text: text || `Your approval is requested: ${item?.key ?? ''} ${item?.title ?? ''}`,
  })
  return { approval, fresh: true }
}

/** Schedules the cancellation at `until`. */
export async function endInTime(ctx: Context, { id, until }: Approval): Promise<void> {
  if (until)
    await enqueue(ctx, {
      task: endingTaskName,
      payload: { approvalId: id, reason: 'until' },
      runAt: new Date(until),
      key: id,
    })
}

async function pendingOfRule(ctx: Context, itemId: Id, ruleId: string): Promise<Approval | undefined> {
  const [row] = await ctx.sql<{
    id: Id
  }>`select id from approval where tenant_id = ${ctx.caller.tenantId} and item_id = ${itemId}
    and rule_id = ${ruleId} and state = ${approvalState.pending} and not deleted`
  return row && (await approvals.find(ctx, row.id))
}

function unreachable(approval: Approval, there: number): RuleBroken {
  const message = `the quorum is ${needed(approval)}, but the group has ${there} members who may vote`
  return new RuleBroken('quorum-unreachable', message, [
    fault(['quorum'], 'quorum-unreachable', message, approval.quorum),
  ])
}

/** Cancels an approval; the reason is stored in its event. */
export async function cancelApproval(ctx: Context, { id, itemId }: Approval, reason: string): Promise<Approval> {
  return await approvals.update(
    ctx,
    id,
    { state: approvalState.cancelled, decidedAt: ctx.now.toISOString() },
    { verb: 'cancelled', own: { columns: {}, changes: { itemId: { to: itemId }, reason: { to: reason } } } },
  )
}
