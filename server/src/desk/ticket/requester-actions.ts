import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { changeItem } from '../../items/change/change.ts'
import { items } from '../../items/item/item.ts'
import { processOf } from '../../items/item-process/item-process.ts'
import { isClosed, statusCategory } from '../../items/status.ts'
import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { Forbidden, fault, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { refuseMerged } from '../merge/merge-chain.ts'
import { canReopen, reopen } from './follow-up.ts'
import { changeFacet, type Facet, type Ticket } from './ticket.ts'

// What requesters do with their own tickets. They may not change items, so the system acts in their name, and the workflow,
// which is for staff, is not asked.

/** Whether the caller acts on the ticket as its requester, and not as a member of staff. */
export const actsAsRequester = ({ caller }: Context, ticket: Ticket) => !may(caller, items.permissions.update, ticket)

/** Refuses callers whose ticket it is not, and properties that only staff set. */
export function demandOwnTicket({ caller }: Context, ticket: Ticket, given: object = {}): void {
  if (caller.userId !== (ticket.requesterId || ticket.createdBy))
    throw new Forbidden('only staff and the requester may do this')
  const faults = Object.keys(given).map(each => fault([each], 'requester-action', 'is not set by requesters'))
  if (faults.length > 0) throw new Refusal(403, 'requester-action', 'requesters set no more than this', { faults })
}

/** Closes the ticket for its requester. Closing a closed ticket changes nothing. */
export async function closeForRequester(ctx: Context, ticket: Ticket): Promise<void> {
  await refuseMerged(ctx, ticket.mergedInto)
  if (isClosed(ticket.statusCategory)) return
  const patch = { status: await closedStatus(ctx, ticket), statusCategory: statusCategory.done }
  await changeItem(withSystemAuthority(ctx), ticket.id, { patch, warnings: [] }, { force: true })
}

/** Reopens the ticket for its requester, if it was closed recently. Reopening an open ticket changes nothing. */
export async function reopenForRequester(ctx: Context, ticket: Ticket): Promise<void> {
  await refuseMerged(ctx, ticket.mergedInto)
  if (!isClosed(ticket.statusCategory)) return
  if (!(await canReopen(ctx, ticket)))
    throw new RuleBroken('reopen-too-late', 'the ticket was closed too long ago; a message begins a follow-up ticket')
  await reopen(withSystemAuthority(ctx), ticket.id)
}

/** Whether the requester has not yet said what they think of the answer: once for each time that the ticket was closed. */
export function canRate({ statusCategory: category, closedAt, satisfaction }: Ticket): boolean {
  if (!isClosed(category)) return false
  return !satisfaction?.at || (closedAt !== null && satisfaction.at < closedAt)
}

/** Stores what the requester thinks of the answer. */
export async function rateForRequester(
  ctx: Context,
  ticket: Ticket,
  { score, comment }: { score: number; comment: string },
): Promise<void> {
  if (!isClosed(ticket.statusCategory)) throw new RuleBroken('not-closed', 'a ticket is rated when it is closed')
  if (!canRate(ticket)) throw new RuleBroken('already-rated', 'the ticket was rated since it was closed')
  const satisfaction: Facet['satisfaction'] = { score, comment, at: ctx.now.toISOString() }
  await changeFacet(withSystemAuthority(ctx), ticket.id, { satisfaction })
}

/** The status of the ticket’s process that means “done”. */
export async function closedStatus(ctx: Context, { processId }: Pick<Ticket, 'processId'>): Promise<string> {
  const { states } = await processOf(ctx, processId)
  const done = [...(states.get('status')?.values() ?? [])].find(each => each.category === statusCategory.done)
  return done?.value ?? 'Closed'
}
