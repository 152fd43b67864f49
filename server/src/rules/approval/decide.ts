import { cancel } from '../../engine/dispatch/dispatch.ts'
import { callerInContext } from '../../identity/authority.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { type Item, items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { Forbidden, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import { notify } from '../../notify/inbox/inbox.ts'
import { lockRecords } from '../../records/history/rewrite.ts'
import { perform } from '../rule/actions/perform.ts'
import type { ActingRule } from '../rule/engine/evaluate.ts'
import { causeFor, claimAct, LoopLimitReached } from '../rule/engine/loop-limits.ts'
import type { Occurrence } from '../rule/engine/occurrence.ts'
import { principalOf, withCause } from '../rule/engine/principal.ts'
import { outcome, writeLog } from '../rule/log/log.ts'
import { type Rule, rules } from '../rule/rule.ts'
import { type Approval, approvalState, approvals, endingTaskName, needed, votersOf } from './approval.ts'
import { actionsIn } from './consequence.ts'

interface VoteInput {
  /** Required if several approvals of the item wait for the caller. */
  approvalId?: string
  decision: typeof approvalState.approved | typeof approvalState.rejected
  comment: string
}

/**
 * Stores the vote of the caller. The item is locked first, as every change of it does, so that of two concurrent last votes
 * one waits and then finds the approval decided. The consequence is carried out in the same transaction and change set: if
 * the item refuses it, the vote is refused.
 */
export async function answer(ctx: Context, itemId: Id, given: VoteInput): Promise<Approval> {
  const item = await items.get(ctx, itemId, { lock: true })
  const { approval, voters } = await answerableApproval(ctx, item, given.approvalId)
  const { userId } = ctx.caller
  if (approval.until && Date.parse(approval.until) <= ctx.now.getTime())
    throw new RuleBroken('approval-expired', 'the time to vote is over')
  const { decision, comment } = given
  const mine = approval.votes.find(each => each.userId === userId)
  if (mine?.decision === decision && mine.comment === comment) return approval
  const votes = [
    ...approval.votes.filter(each => each.userId !== userId),
    { userId, decision, comment, at: ctx.now.toISOString() },
  ]
  const state = decided(approval, votes, voters)
  const own = { columns: {}, changes: { itemId: { to: item.id } } }
  if (state === approvalState.pending)
    return await approvals.update(ctx, approval.id, { votes }, { verb: 'voted', own })
  const verb = state === approvalState.approved ? 'approved' : 'rejected'
  const decidedAt = ctx.now.toISOString()
  const after = await approvals.update(ctx, approval.id, { votes, state, decidedAt }, { verb, own })
  await cancel(ctx, endingTaskName, approval.id)
  await carryOut(ctx, after, verb)
  const suffix = comment === '' ? '' : `: ${comment}`
  if (after.askedBy && after.askedBy !== userId)
    await notify(ctx, {
      ...{ to: [after.askedBy], itemId: item.id, ruleId: after.ruleId, name: `approval.${verb}` },
      text: `${item.key} ${item.title} was ${verb} by ${ctx.caller.name}${suffix}`,
    })
  return after
}

/** One rejection rejects, so that a requester cannot wait for enough approvals. A vote counts only while its voter may vote. */
function decided(approval: Pick<Approval, 'quorum'>, votes: Approval['votes'], voters: readonly Id[]): number {
  const counted = votes.filter(({ userId = '' }) => voters.includes(userId))
  if (counted.some(each => each.decision === approvalState.rejected)) return approvalState.rejected
  return counted.length >= needed(approval) ? approvalState.approved : approvalState.pending
}

/** Returns the pending approval on which the caller may vote, and its voters. */
async function answerableApproval(
  ctx: Context,
  item: Item,
  approvalId = '',
): Promise<{ approval: Approval; voters: Id[] }> {
  const pending = await lockRecords(ctx, approvals, sql`t.item_id = ${item.id} and t.state = ${approvalState.pending}`)
  const named = approvalId === '' ? pending : pending.filter(each => each.id === approvalId.toLowerCase())
  if (named.length === 0) throw await nothingAsked(ctx, item, approvalId)
  const answerable: { approval: Approval; voters: Id[] }[] = []
  for (const approval of named) {
    const voters = await votersOf(ctx, approval)
    if (voters.includes(ctx.caller.userId)) answerable.push({ approval, voters })
  }
  const [first, ...more] = answerable
  if (!first) throw new Forbidden('only members of the asked group may vote, and not the requester')
  if (more.length > 0)
    throw new RuleBroken('which-approval', 'several approvals wait for your vote: name one by approvalId', [], {
      approvals: answerable.map(each => each.approval.id),
    })
  return first
}

async function nothingAsked(ctx: Context, item: Item, approvalId: string): Promise<Refusal> {
  const known = isId(approvalId) ? await approvals.find(ctx, approvalId) : undefined
  if (approvalId !== '' && known?.itemId !== item.id)
    return unknownReferences([{ entity: 'Approval', id: approvalId, path: ['approvalId'] }])
  return known
    ? new RuleBroken('approval-decided', 'the approval is already decided or cancelled', [], { state: known.state })
    : new RuleBroken('nothing-to-approve', 'the item has no pending approval')
}

/** Carries out the consequence, as the rule that requested the approval or else as the user who did. */
async function carryOut(ctx: Context, approval: Approval, verb: 'approved' | 'rejected'): Promise<void> {
  const actionValue = actionsIn(verb === 'approved' ? approval.onApprove : approval.onReject)
  if (actionValue.length === 0) return
  const { rule, principal } = await actingRuleOf(ctx, approval)
  const acting = { principal, rule: { ...rule, actionValue, actionEndpoint: [] } }
  const occurrence = occurrenceOf(ctx, approval, verb)
  const began = performance.now()
  const work = async () => (await perform(ctx.derive({ caller: principal }), acting, occurrence)).actions
  try {
    if (approval.ruleId === '') return void (await work())
    // The claim keeps the consequence from triggering the rule that requested the approval.
    await claimAct(ctx, rule, occurrence)
    const actions = await withCause(ctx, causeFor(rule, occurrence), work)
    const ms = Math.round(performance.now() - began)
    await writeLog(ctx, [
      { rule, occurrence, outcome: outcome.acted, conditions: [], actions, changeSetId: ctx.changeSet, ms },
    ])
  } catch (error) {
    throw refusedBecause(error)
  }
}

/** Refusals by the item are passed on. A missing right of the rule becomes another problem, because the voter does not lack it. */
function refusedBecause(error: unknown): unknown {
  if (error instanceof RuleBroken || !(error instanceof Refusal || error instanceof LoopLimitReached)) return error
  return new RuleBroken('not-carried-out', `the consequence cannot be carried out: ${error.message}`)
}

/** Returns the rule that carries out the consequence; a deleted rule still does, because its request is pending. */
async function actingRuleOf(ctx: Context, approval: Approval): Promise<ActingRule> {
  const { ruleId, askedBy, createdBy, scopes } = approval
  const known = ruleId === '' ? undefined : await rules.find(withSystemAuthority(ctx), ruleId, { deleted: true })
  const rule = known ?? impliedRule(approval)
  const principal = known
    ? await principalOf(ctx, known, askedBy || known.ownerUser)
    : await callerInContext(ctx, createdBy, scopes)
  if (!principal)
    throw new RuleBroken('nobody-to-act', 'the user as whom the consequence is carried out can no longer sign in')
  return { rule, principal }
}

/** Makes a rule for an approval that was requested without one. */
function impliedRule(approval: Approval): Rule {
  const { tenantId, id, created, createdBy, updated, updatedBy, deleted, version } = approval
  const common = { entity: rules.entity, tenantId, id, created, createdBy, updated, updatedBy, deleted, version }
  return { ...rules.completed({ name: 'Approval', ownerUser: createdBy }), ...common }
}

function occurrenceOf(ctx: Context, { id, itemId }: Approval, verb: string): Occurrence {
  const { userId, kind } = ctx.caller
  return {
    ...{ eventId: null, kind: `approval.${verb}`, entity: approvals.entity, recordId: id, itemId },
    ...{ actorId: userId, actorKind: kind, at: ctx.now, changes: {}, cause: null, root: ctx.changeSet, more: {} },
  }
}
