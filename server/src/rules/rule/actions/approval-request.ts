import { Temporal } from 'temporal-polyfill'
import type { Action } from '../../../containers/action/action.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import { isInstant } from '../../../kernel/schema/formats.ts'
import { ask, needed } from '../../approval/approval.ts'
import { readDuration } from '../triggers/interval.ts'
import type { ActionContext, StepResult } from './action-context.ts'
import { objectOf } from './text/action-text.ts'

/** Requests an approval. The consequences are stored unrendered: their templates are rendered when they are carried out. */
export async function requestApproval(work: ActionContext, { value }: Action): Promise<StepResult> {
  const { quorum = 0, onApprove, onReject, ...texts } = objectOf(value)
  const { groupId = '', text = '', until = '' } = await work.render(texts)
  const group = String(groupId).toLowerCase()
  if (!isId(group)) throw new RuleBroken('no-such-group', 'the action names no group')
  if (!Number.isInteger(quorum) || Number(quorum) < 0 || Number(quorum) > 1000)
    throw new RuleBroken('unreadable-quorum', 'the quorum must be a whole number from 0 to 1000')
  const { approval, fresh } = await ask(work.ctx, {
    ...{ itemId: await work.itemId(), groupId: group, quorum: Number(quorum), text: String(text).slice(0, 2000) },
    ...{ onApprove, onReject, until: untilOf(work, String(until)) },
    ...{ askedBy: await askerOf(work), ruleId: work.rule.id },
  })
  if (!fresh) return { note: 'an approval of this rule is already pending' }
  return { after: { approvalId: approval.id, groupId: group, quorum: needed(approval) } }
}

/** Reads an instant, or a duration from now. */
function untilOf({ ctx, rule, principal }: ActionContext, text: string): string | null {
  if (text.trim() === '') return null
  const wait = readDuration(text.trim())
  if (!wait) {
    if (isInstant(text.trim())) return text.trim()
    throw new RuleBroken('unreadable-until', `${text} is neither an instant nor a duration`)
  }
  const now = Temporal.Instant.fromEpochMilliseconds(ctx.now.getTime())
  return now
    .toZonedDateTimeISO(rule.timezone || principal.timezone)
    .add(wait)
    .toInstant()
    .toString()
}

/** Returns the user whose change led to the request: the actor, or the one who started the chain. Empty if that is no user. */
async function askerOf({ ctx, occurrence }: ActionContext): Promise<Id> {
  const { tenantId } = ctx.caller
  const root = occurrence.cause?.root ?? ''
  const [row] = isId(root)
    ? // All events of the set are read by its index: for the first one alone, the planner would walk through the log.
      await ctx.sql<{ id: Id; kind: string }>`select e.actor_id as id, e.actor_kind as kind from (
          select e.* from event e where e.tenant_id = ${tenantId} and e.change_set_id = ${root} offset 0) e
        order by e.xact, e.id limit 1`
    : [{ id: occurrence.actorId, kind: occurrence.actorKind }]
  if (!row || row.kind === 'rule') return ''
  const [known] = await ctx.sql`select 1 from "user" where tenant_id = ${tenantId} and id = ${row.id} and not deleted`
  return known ? row.id : ''
}
