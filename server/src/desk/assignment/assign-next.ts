import { changeItem } from '../../items/change/change.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { lockTicket } from '../ticket/read-ticket.ts'
import { changeFacet } from '../ticket/ticket.ts'
import { type Assignment, nextAssignee } from './assignment.ts'
import type { AssignTerms } from './choose-member.ts'

/** Assigns a ticket to the next member of a group, by default of the group whose queue holds the ticket. */
export async function assignNext(
  ctx: Context,
  id: Id,
  groupId: Id | undefined,
  terms: AssignTerms = {},
): Promise<Assignment> {
  const ticket = await lockTicket(ctx, id)
  const wanted = (groupId || ticket.queueGroupId).toLowerCase()
  if (wanted === '')
    throw new RuleBroken('no-queue', 'the ticket is in no queue', [
      fault(['groupId'], 'required', 'is required because the ticket is in no queue'),
    ])
  const next = await nextAssignee(ctx, ticket.id, wanted, terms)
  await changeFacet(ctx, ticket.id, { queueGroupId: next.groupId })
  await changeItem(ctx, ticket.id, { patch: { assignees: [next.userId] }, warnings: [] })
  return next
}
