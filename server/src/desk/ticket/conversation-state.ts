import type { Context } from '../../kernel/context.ts'
import { withSystemAuthority } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { changeFacet, deskKind, type Facet, tickets, turn } from './ticket.ts'

/** What was said: by the requester, to the requester as an answer, or otherwise. */
export type Said = 'message' | 'reply' | 'other'

/** Keeps in step what a desk knows of the conversation: when who spoke last, and whose turn it is. */
export async function conversed(ctx: Context, itemId: Id, said: Said): Promise<void> {
  if (said === 'other' || !(await isOfDesk(ctx, itemId))) return
  const now = ctx.now.toISOString()
  // Whoever may speak need not have the right to change what the desk keeps.
  const house = withSystemAuthority(ctx)
  const facet = await tickets.find(house, itemId)
  await changeFacet(
    house,
    itemId,
    said === 'message' ? afterMessage(now) : afterReply(now, facet?.firstReplyAt ?? null),
  )
}

const afterMessage = (now: string): Partial<Facet> => ({
  lastRequesterAt: now,
  waitingOn: turn.ours,
  snoozedUntil: null,
})

const afterReply = (now: string, firstReplyAt: string | null): Partial<Facet> => ({
  firstReplyAt: firstReplyAt ?? now,
  lastStaffAt: now,
  waitingOn: turn.requester,
})

export async function isOfDesk(ctx: Context, itemId: Id): Promise<boolean> {
  const [row] =
    await ctx.sql`select 1 from item i join container c on c.tenant_id = i.tenant_id and c.id = i.container_id
    where i.tenant_id = ${ctx.caller.tenantId} and i.id = ${itemId} and c.kind = ${deskKind}`
  return row !== undefined
}

/** What an automaton says answers nobody, and its note that somebody is away asks for nothing. */
export function isAutomatic(actorKind: string, headers: Readonly<Record<string, unknown>> | null | undefined): boolean {
  if (actorKind === 'rule') return true
  return Object.entries(headers ?? {}).some(([name, value]) => {
    const lower = name.toLowerCase()
    if (lower === 'auto-submitted') return String(value).trim().toLowerCase() !== 'no'
    return lower === 'x-autoreply' || lower === 'x-autorespond'
  })
}
