import { type GuestClaim, isUnproven, isValid, provesAddress } from '../../desk/guest/guest.ts'
import { finalTarget } from '../../desk/merge/merge-chain.ts'
import { proveRequester } from '../../desk/ticket/prove-requester.ts'
import { findTicket, getTicket } from '../../desk/ticket/read-ticket.ts'
import type { Ticket } from '../../desk/ticket/ticket.ts'
import { accountlessAuthority, userAccessOf } from '../../identity/authority.ts'
import { tenantCaller, withSystemAuthority } from '../../identity/tenant-caller.ts'
import { items } from '../../items/item/item.ts'
import { type Caller, tenantStatus } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, operatorId } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'

export interface Guest {
  ticket: Ticket
  /** What the guest may read: that of the requester's account, or of any requester. */
  reader: Caller
  /** Who acts: the requester's account, or nobody in particular. What they may do is decided by the actions. */
  actor: Caller
  timezone: string
  expiresAt: string
}

/** Returns the guest with the ticket as it is now; undefined if the link is not valid any more, whatever the reason is. */
export async function findGuest(
  ctx: Context,
  claim: GuestClaim,
  { writes }: { writes: boolean },
): Promise<Guest | undefined> {
  const { tenantId } = claim
  const [tenant] = await ctx.sql<{ status: number; timezone: string }>`
    select status, coalesce(nullif(timezone, ''), 'UTC') as timezone from tenant where tenant_id = ${tenantId} and not deleted`
  if (!tenant || tenant.status === tenantStatus.closing) return undefined
  const named = await readTicket(ctx, claim, writes)
  if (!named) return undefined
  const ticket = writes && provesAddress(claim) && isUnproven(named) ? await proven(ctx, named) : named
  const found = await readerOf(ctx, ticket)
  if (!found) return undefined
  if (writes && tenant.status === tenantStatus.suspended)
    throw new Refusal(403, 'tenant-suspended', 'the tenant is suspended: it can be read and not changed')
  const actor = {
    ...tenantCaller(tenantId, ticket.requesterId || operatorId),
    name: nameOf(ticket),
    kind: 'guest',
  } as const
  const expiresAt = new Date(claim.expires).toISOString()
  return { ticket, reader: found, actor, timezone: found.timezone || tenant.timezone, expiresAt }
}

/**
 * The same ticket with a requester whose address is proven, because they write by a link that was mailed to it. Reading proves nothing:
 * mail scanners read, too.
 */
async function proven(ctx: Context, ticket: Ticket): Promise<Ticket> {
  const caller = { ...tenantCaller(ctx.caller.tenantId), name: nameOf(ticket), kind: 'guest' } as const
  await proveRequester(ctx.derive({ caller }), ticket.id)
  return await getTicket(withSystemAuthority(ctx), ticket.id, { anywhere: true })
}

const nameOf = ({ requester }: Ticket) => requester?.name || requester?.email || ''

/** The ticket of the link, or the one that it was merged into, if that has the same requester. */
async function readTicket(ctx: Context, claim: GuestClaim, writes: boolean): Promise<Ticket | undefined> {
  const named = await loaded(ctx, claim.itemId, writes)
  if (!named || !isValid(claim, named, ctx.now)) return undefined
  if (!named.mergedInto) return named
  const target = await loaded(ctx, await finalTarget(ctx, named.mergedInto), writes)
  return target && isValid({ ...claim, generation: target.linkGeneration }, target, ctx.now) ? target : undefined
}

async function loaded(ctx: Context, id: Id, lock: boolean): Promise<Ticket | undefined> {
  const system = withSystemAuthority(ctx)
  if (lock && !(await items.find(system, id, { lock: true }))) return undefined
  const found = await findTicket(system, id, { anywhere: true })
  return found && JSON.parse(found.json)
}

/** A requester with an account reads what the account does; undefined if it may not sign in, or not see the ticket any more. */
async function readerOf(ctx: Context, { id, requesterId, requester }: Ticket): Promise<Caller | undefined> {
  const { tenantId } = ctx.caller
  const known = { tenantId, kind: 'guest', scopes: [] } as const
  if (!requesterId)
    return {
      ...known,
      userId: operatorId,
      name: requester?.name ?? '',
      timezone: '',
      authority: await accountlessAuthority(ctx),
    }
  const access = await userAccessOf(ctx, requesterId)
  if (!access) return undefined
  const { name, timezone, authority } = access
  const reader: Caller = { ...known, userId: requesterId, name, timezone, authority }
  return (await items.find(ctx.derive({ caller: reader }), id)) ? reader : undefined
}
