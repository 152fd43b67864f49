import { cancel } from '../../engine/dispatch/dispatch.ts'
import { callerInContext } from '../../identity/authority.ts'
import { type Item, items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { pointsAtNothing } from '../../kernel/record/references.ts'
import { Forbidden, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import { notify } from '../../notify/inbox/inbox.ts'
import { held } from '../../records/rewrite.ts'
import { perform } from '../rule/actions/perform.ts'
import type { ActingRule } from '../rule/engine/evaluate.ts'
import { causeFor, claimFirstAct, LoopLimitReached } from '../rule/engine/loop-limits.ts'
import type { Occurrence } from '../rule/engine/occurrence.ts'
import { principalOf, withCause } from '../rule/engine/principal.ts'
import { outcome, writeLog } from '../rule/log/log.ts'
import { type Rule, rules } from '../rule/rule.ts'
import { type Approval, approvalState, approvals, endingTaskName, needed, votersOf } from './approval.ts'
import { actionsIn } from './consequence.ts'

export interface VoteInput {
  /** Which one is answered, where the item has several that wait for the caller. */
  approvalId?: string
  decision: typeof approvalState.approved | typeof approvalState.rejected
  comment: string
}

/**
 * Somebody of the group answers. The item is held first, as whoever changes it holds it: of two who answer last, one waits
 * and then finds it decided. What follows from the decision happens in the same transaction and change set: if the item
 * refuses it, the answer is refused.
 */
export async function answer(ctx: Context, itemId: Id, given: VoteInput): Promise<Approval> {
  const item = await items.get(ctx, itemId, { lock: true })
  const { approval, voters } = await asked(ctx, item, given.approvalId)
  const { userId } = ctx.caller
  if (approval.until && Date.parse(approval.until) <= ctx.now.getTime())
    throw new RuleBroken('approval-expired', 'the time to answer is over')
  const { decision, comment } = given
  const mine = approval.votes.find(each => each.userId === userId)
  if (mine?.decision === decision && mine.comment === comment) return approval
  const votes = [
    ...approval.votes.filter(each => each.userId !== userId),
    { userId, decision, comment, at: ctx.now.toISOString() },
  ]
  const state = decided(approval, votes, voters)
  const told = { columns: {}, changes: { itemId: { to: item.id } } }
  if (state === approvalState.pending)
    return await approvals.update(ctx, approval.id, { votes }, { verb: 'voted', own: told })
  const verb = state === approvalState.approved ? 'approved' : 'rejected'
  const decidedAt = ctx.now.toISOString()
  const after = await approvals.update(ctx, approval.id, { votes, state, decidedAt }, { verb, own: told })
  await cancel(ctx, endingTaskName, approval.id)
  await carryOut(ctx, after, verb)
  const said = comment === '' ? '' : `: ${comment}`
  if (after.askedBy && after.askedBy !== userId)
    await notify(ctx, {
      ...{ to: [after.askedBy], itemId: item.id, ruleId: after.ruleId, name: `approval.${verb}` },
      text: `${item.key} ${item.title} was ${verb} by ${ctx.caller.name}${said}`,
    })
  return after
}

/** One no is a no: else whoever asks could go on until somebody says yes. A yes counts while its voter may still vote. */
export function decided(approval: Pick<Approval, 'quorum'>, votes: Approval['votes'], voters: readonly Id[]): number {
  const counted = votes.filter(({ userId = '' }) => voters.includes(userId))
  if (counted.some(each => each.decision === approvalState.rejected)) return approvalState.rejected
  return counted.length >= needed(approval) ? approvalState.approved : approvalState.pending
}

/** The approval that the caller answers, and who may answer it. */
async function asked(ctx: Context, item: Item, approvalId = ''): Promise<{ approval: Approval; voters: Id[] }> {
  const pending = await held(ctx, approvals, sql`t.item_id = ${item.id} and t.state = ${approvalState.pending}`)
  const named = approvalId === '' ? pending : pending.filter(each => each.id === approvalId.toLowerCase())
  if (named.length === 0) throw await nothingAsked(ctx, item, approvalId)
  const answerable: { approval: Approval; voters: Id[] }[] = []
  for (const approval of named) {
    const voters = await votersOf(ctx, approval)
    if (voters.includes(ctx.caller.userId)) answerable.push({ approval, voters })
  }
  const [first, ...more] = answerable
  if (!first) throw new Forbidden('people of the group that is asked answer, and not who asked for it')
  if (more.length > 0)
    throw new RuleBroken('which-approval', 'several wait for your answer: name one by approvalId', [], {
      approvals: answerable.map(each => each.approval.id),
    })
  return first
}

async function nothingAsked(ctx: Context, item: Item, approvalId: string): Promise<Refusal> {
  const known = isId(approvalId) ? await approvals.find(ctx, approvalId) : undefined
  if (approvalId !== '' && known?.itemId !== item.id)
    return pointsAtNothing([{ entity: 'Approval', id: approvalId, path: ['approvalId'] }])
  return known
    ? new RuleBroken('approval-decided', 'it was decided or cancelled already', [], { state: known.state })
    : new RuleBroken('nothing-to-approve', 'nobody waits for an answer about this item')
}

/** Does what the decision says: as the rule that asked, or as whoever asked without one. */
async function carryOut(ctx: Context, approval: Approval, verb: 'approved' | 'rejected'): Promise<void> {
  const actionValue = actionsIn(verb === 'approved' ? approval.onApprove : approval.onReject)
  if (actionValue.length === 0) return
  const { rule, principal } = await actingRuleOf(ctx, approval)
  const acting = { principal, rule: { ...rule, actionValue, actionEndpoint: [] } }
  const occurrence = occurrenceOf(ctx, approval, verb)
  const began = performance.now()
  const work = () => perform(ctx.derive({ caller: principal }), acting, occurrence)
  try {
    if (approval.ruleId === '') return void (await work())
    // What follows from the decision is no news to the rule that asked for it.
    await claimFirstAct(ctx, rule, occurrence)
    const actions = await withCause(ctx, causeFor(rule, occurrence), work)
    const ms = Math.round(performance.now() - began)
    await writeLog(ctx, [
      { rule, occurrence, outcome: outcome.acted, conditions: [], actions, changeSetId: ctx.changeSet, ms },
    ])
  } catch (error) {
    throw refusedBecause(error)
  }
}

/** What the item's own laws say is said as it is; what the rule lacks is not what the voter lacks. */
function refusedBecause(error: unknown): unknown {
  if (error instanceof RuleBroken || !(error instanceof Refusal || error instanceof LoopLimitReached)) return error
  return new RuleBroken('not-carried-out', `what follows from it cannot be done: ${error.message}`)
}

/** In whose name it is done: a rule's also after it was deleted, for it has asked. */
async function actingRuleOf(ctx: Context, approval: Approval): Promise<ActingRule> {
  const { ruleId, askedBy, createdBy } = approval
  const known = ruleId === '' ? undefined : await rules.find(ctx, ruleId, { deleted: true })
  const rule = known ?? unwritten(approval)
  const principal = known
    ? await principalOf(ctx, known, askedBy || known.ownerUser)
    : await callerInContext(ctx, createdBy, 'rule')
  if (!principal) throw new RuleBroken('nobody-to-act', 'nobody is there in whose name it could be done')
  return { rule, principal }
}

/** The rule that somebody who asks without one stands for. */
function unwritten(approval: Approval): Rule {
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
