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
import { Code, Count, Instant, Parts, Ref, Text } from '../../kernel/schema/values.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { notify } from '../../notify/inbox/inbox.ts'
import { activeAmong } from '../rule/actions/people.ts'
import { inertConsequences, readConsequence } from './consequence.ts'

/** How far it has come; the codes of `state`. */
export const approvalState = { pending: 0, approved: 1, rejected: 2, cancelled: 3 } as const

const vote = {
  userId: Text(36),
  decision: Code({ description: '1 approved · 2 rejected.' }),
  comment: Text(2000),
  at: Instant,
}

const consequence =
  'a step or a state of the workflow (as action 6 takes it), or a list of actions as in `actionValue` of rules'

const shape = {
  itemId: Ref('Item'),
  groupId: Ref('UserGroup', { description: 'Whose people answer, those of groups inside of it too.' }),
  quorum: Count(1000),
  state: Code({ description: '0 pending · 1 approved · 2 rejected · 3 cancelled.' }),
  text: Text(2000, { description: 'What is asked, in words.' }),
  votes: Parts(vote),
  onApprove: Type.Unsafe<unknown>({ description: `What happens when it is approved: ${consequence}.` }),
  onReject: Type.Unsafe<unknown>({ description: `What happens when it is rejected: ${consequence}.` }),
  until: Instant,
  askedBy: Ref('User', {
    description: 'Whose change asked for it; they do not answer, unless the group has nobody else.',
  }),
  ruleId: Text(36, { description: 'The rule that asks.' }),
  decidedAt: Instant,
}

export type Approval = Stored<typeof shape>
export type ApprovalValues = Values<typeof shape>

/** A group that is asked whether something may be done with an item. */
export const approvals = resource('Approval', {
  about:
    'A question to a group about an item: who may update the item asks, or a rule does. Approved as soon as `quorum` (0 reads as 1) of its people approve, rejected with the first who rejects.',
  shape,
  required: ['itemId', 'groupId'],
  serverSet: ['state', 'votes', 'askedBy', 'ruleId', 'decidedAt'],
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

/** The staff who see the item; of its requesters, who asked and who is asked. */
function visibleApprovals(caller: Caller, a: Sql): Sql {
  const i = raw('i')
  const { userId, authority } = caller
  const own = sql`${a}.asked_by = ${userId} or ${a}.group_id = any(${authority.groups}::uuid[])`
  return sql`exists (select 1 from item i where i.tenant_id = ${a}.tenant_id and i.id = ${a}.item_id and ${visibleItems(caller, i)} and (${isStaffAtItem(caller, i)} or ${own}))`
}

function inertParts({ onApprove, onReject }: Approval): Finding[] {
  return [...inertConsequences(onApprove, 'onApprove'), ...inertConsequences(onReject, 'onReject')]
}

/** How many must say yes. */
export const needed = ({ quorum }: Pick<Approval, 'quorum'>): number => Math.max(1, quorum)

/** Who may answer: the people of the group but the one whose change asked for it (four eyes), unless nobody else is there. */
export async function votersOf(
  ctx: Context,
  { groupId, askedBy }: Pick<Approval, 'groupId' | 'askedBy'>,
): Promise<Id[]> {
  const all = await activeAmong(ctx, [groupId])
  const others = all.filter(id => id !== askedBy)
  return others.length > 0 ? others : all
}

/** The task that ends an approval whose time is over, or whose item is gone. */
export const endingTaskName = 'approval-ending'

type Asked = Partial<ApprovalValues> & Pick<ApprovalValues, 'itemId' | 'groupId'>

/** Asks a group, and tells those of it who may answer. A rule that waits for an answer already does not ask again. */
export async function ask(ctx: Context, wish: Asked): Promise<{ approval: Approval; fresh: boolean }> {
  const item = await items.find(ctx, wish.itemId, { lock: true })
  if (item?.mergedInto)
    throw new RuleBroken('item-merged', 'the item was merged into another', [], { mergedInto: item.mergedInto })
  const known = item && wish.ruleId ? await pendingOfRule(ctx, item.id, wish.ruleId) : undefined
  if (known) return { approval: known, fresh: false }
  const until = wish.until ?? null
  if (until !== null && Date.parse(until) <= ctx.now.getTime())
    throw new Invalid([fault(['until'], 'past', 'must lie ahead', until)])
  const approval = await approvals.create(
    ctx,
    {
      ...wish,
      until,
      onApprove: readConsequence(wish.onApprove, 'onApprove'),
      onReject: readConsequence(wish.onReject, 'onReject'),
    },
    { verb: 'requested' },
  )
  const voters = await votersOf(ctx, approval)
  if (voters.length < needed(approval)) throw unreachable(approval, voters.length)
  await endInTime(ctx, approval)
  const { itemId, ruleId, text } = approval
  await notify(ctx, {
    ...{ to: voters, itemId, ruleId, name: 'approval.requested' },
    text: text || `Your approval is asked for: ${item?.key ?? ''} ${item?.title ?? ''}`,
  })
  return { approval, fresh: true }
}

/** Whoever waits until some time does not wait longer. */
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
  const message = `${needed(approval)} must approve, and the group has ${there} who may`
  return new RuleBroken('quorum-unreachable', message, [
    fault(['quorum'], 'quorum-unreachable', message, approval.quorum),
  ])
}

/** Nobody is waited for any more; tells why. */
export async function cancelApproval(ctx: Context, { id, itemId }: Approval, reason: string): Promise<Approval> {
  return await approvals.update(
    ctx,
    id,
    { state: approvalState.cancelled, decidedAt: ctx.now.toISOString() },
    { verb: 'cancelled', own: { columns: {}, changes: { itemId: { to: itemId }, reason: { to: reason } } } },
  )
}
