import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { changeFacet, deskKind, type Facet, tickets, waitingParty } from './ticket.ts'

/** The direction of an annotation: from the requester, to the requester, or neither. */
export type MessageDirection = 'message' | 'reply' | 'other'

/** Updates the facet after an annotation: when the requester and staff wrote last, and who has to act next. */
export async function updateConversationState(ctx: Context, itemId: Id, said: MessageDirection): Promise<void> {
  if (said === 'other' || !(await isOnDesk(ctx, itemId))) return
  const now = ctx.now.toISOString()
  // Whoever may write annotations need not have the permission to change the ticket.
  const system = withSystemAuthority(ctx)
  const facet = await tickets.find(system, itemId)
  await changeFacet(
    system,
    itemId,
    said === 'message' ? afterMessage(now) : afterReply(now, facet?.firstReplyAt ?? null),
  )
}

const afterMessage = (now: string): Partial<Facet> => ({
  lastRequesterAt: now,
  waitingOn: waitingParty.ours,
  snoozedUntil: null,
})

const afterReply = (now: string, firstReplyAt: string | null): Partial<Facet> => ({
  firstReplyAt: firstReplyAt ?? now,
  lastStaffAt: now,
  waitingOn: waitingParty.requester,
})

export async function isOnDesk(ctx: Context, itemId: Id): Promise<boolean> {
  const [row] =
    await ctx.sql`select 1 from item i join container c on c.tenant_id = ${ownTenant} and c.id = i.container_id
    where i.tenant_id = ${ctx.caller.tenantId} and i.id = ${itemId} and c.kind = ${deskKind}`
  return row !== undefined
}
