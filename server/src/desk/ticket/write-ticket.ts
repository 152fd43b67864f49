import { isDeepStrictEqual } from 'node:util'
import { customerOfPerson } from '../../finance/crm/crm.ts'
import { visibleContainers } from '../../identity/visibility.ts'
import { changeItem } from '../../items/change/change.ts'
import { firstDesk } from '../../items/container-place.ts'
import { isRequesterAt } from '../../items/create/create.ts'
import { createOrUpdate } from '../../items/item-operations/item-operations.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Expect, expectVersion } from '../../kernel/record/record.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import { channel } from '../channel.ts'
import { getTicket, lockTicket } from './read-ticket.ts'
import { changeFacet, deskKind, type Facet, type Ticket, tickets } from './ticket.ts'
import type { ReadTicket } from './ticket-body.ts'

export { type ReadTicket, readTicketBody } from './ticket-body.ts'

export interface WrittenTicket {
  ticket: Ticket
  warnings: string[]
  outcome: 'created' | 'updated' | 'unchanged'
}

/** Creates a ticket: an item on the given service desk, or on the first one, with its requester. */
export async function createTicket(ctx: Context, { item, facet: given }: ReadTicket): Promise<WrittenTicket> {
  const { patch } = item
  patch.containerId = await deskFor(ctx, patch.containerId)
  const place = { containerId: patch.containerId, areaId: patch.areaId || null }
  const asStaff = !isRequesterAt(ctx.caller, place)
  const facet = asStaff ? given : ownRequest(ctx.caller, given)
  const said = await resolveRequester(ctx, facet)
  if (said && asStaff) patch.requesterId = said.userId ?? ''
  // The sender of a mail may be forged: the pipeline of arriving mail decides.
  if (said && !said.unproven && asStaff && patch.crmId === undefined && ctx.caller.kind !== 'mail')
    patch.crmId = await customerOfPerson(ctx, said)
  const others = asStaff
    ? []
    : Object.keys(given).filter(each => !isDeepStrictEqual(Reflect.get(given, each), Reflect.get(facet, each)))
  const { answer, outcome, by } = await createOrUpdate(ctx, { ...item, others: [...(item.others ?? []), ...others] })
  const values = { ...facet, ...(said ? { requester: said } : {}) }
  if (outcome === 'created')
    await tickets.create(by, { ...values, lastRequesterAt: asStaff ? null : ctx.now.toISOString() }, { id: answer.id })
  else await changeFacet(by, answer.id, values)
  const { Time: _, warnings } = answer
  return { ticket: await getTicket(ctx, answer.id, { anywhere: true }), warnings, outcome }
}

/** What a requester's ticket has: it is their own, and came through the portal. Staff set the rest. */
function ownRequest({ userId, kind }: Caller, { requester }: Partial<Facet>): Partial<Facet> {
  const isVisitor = kind === 'guest'
  return { requester: isVisitor ? { ...requester, unproven: true } : { userId }, channel: channel.portal }
}

/** Changes the item and the facet in one transaction. */
export async function changeTicket(
  ctx: Context,
  id: Id,
  { item, facet }: ReadTicket,
  more: { expect?: Expect; force?: boolean } = {},
): Promise<WrittenTicket> {
  const before = await lockTicket(ctx, id)
  expectVersion(before, more.expect)
  const said = await resolveRequester(ctx, facet)
  if (said) item.patch.requesterId = said.userId ?? ''
  await changeItem(ctx, before.id, item, { force: more.force ?? false })
  await changeFacet(ctx, before.id, { ...facet, ...(said ? { requester: said } : {}) })
  const ticket = await getTicket(ctx, before.id, { anywhere: true })
  return { ticket, warnings: item.warnings, outcome: ticket.version === before.version ? 'unchanged' : 'updated' }
}

/** The service desk of a new ticket. */
async function deskFor(ctx: Context, containerId: string | null | undefined): Promise<Id> {
  const seen = visibleContainers(ctx.caller, sql`c.id`)
  if (containerId) {
    const [named] = isId(containerId)
      ? await ctx.sql<{
          kind: number
        }>`select c.kind from container c where c.tenant_id = ${ctx.caller.tenantId} and c.id = ${containerId} and not c.deleted and ${seen}`
      : []
    if (named && named.kind !== deskKind)
      throw new RuleBroken('not-a-desk', 'tickets belong to service desks', [
        fault(['containerId'], 'not-a-desk', 'is not a service desk (kind 1)', containerId),
      ])
    return containerId // createItem refuses an unknown container
  }
  return await firstDesk(ctx)
}

type Requester = NonNullable<Facet['requester']>

/** The requester: a user, by id or by email address, or an address and a name. */
async function resolveRequester(ctx: Context, { requester }: Partial<Facet>): Promise<Requester | undefined> {
  if (requester === undefined) return undefined
  const { userId, email } = requester ?? {}
  if (!userId && !email) return requester ?? {}
  // Whoever names a user knows who it is.
  const { unproven, ...known } = requester ?? {}
  if (unproven && !userId) return requester ?? {}
  if (userId) await refuseUnknown(ctx, [{ entity: 'User', id: userId.toLowerCase(), path: ['requester', 'userId'] }])
  const [user] = await ctx.sql<{
    id: Id
    email: string
    name: string
    phone: string
  }>`select u.id, u.email, u.name, u.phone from "user" u
    where u.tenant_id = ${ctx.caller.tenantId} and not u.deleted and ${userId ? sql`u.id = ${userId}` : sql`lower(u.email) = ${(email ?? '').trim().toLowerCase()}`}`
  if (!user) return known
  return { email: user.email, name: user.name, phone: user.phone, ...known, userId: user.id }
}
