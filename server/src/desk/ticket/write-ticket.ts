import { visibleContainers } from '../../identity/visibility.ts'
import { changeItem } from '../../items/change/change.ts'
import { items } from '../../items/item/item.ts'
import { createOrUpdate } from '../../items/item-operations/item-operations.ts'
import { may, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Expect, expectVersion } from '../../kernel/record/record.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import { getTicket, lockTicket } from './read-ticket.ts'
import { changeFacet, deskKind, type Facet, type Ticket, tickets } from './ticket.ts'
import type { ReadTicket } from './ticket-body.ts'

export { readTicketBody } from './ticket-body.ts'

export interface WrittenTicket {
  ticket: Ticket
  warnings: string[]
  outcome: 'created' | 'updated' | 'unchanged'
}

/** Creates a ticket: an item on the given service desk, or on the first one, with its requester. */
export async function createTicket(ctx: Context, { item, facet }: ReadTicket): Promise<WrittenTicket> {
  const { patch } = item
  patch.containerId = await deskFor(ctx, patch.containerId)
  const place = { containerId: patch.containerId, areaId: patch.areaId || null }
  const asStaff = may(ctx.caller, { ...items.permissions.create, roles: members }, place)
  const said = await resolveRequester(ctx, facet)
  if (said) patch.requesterId = said.userId ?? ''
  // A caller who is not staff is the requester.
  else if (!asStaff && !patch.requesterId) patch.requesterId = ctx.caller.userId
  const { answer, outcome, by } = await createOrUpdate(ctx, item)
  const values = { ...facet, ...(said ? { requester: said } : {}) }
  if (outcome === 'created')
    await tickets.create(by, { ...values, lastRequesterAt: asStaff ? null : ctx.now.toISOString() }, { id: answer.id })
  else await changeFacet(by, answer.id, values)
  const { Time: _, warnings } = answer
  return { ticket: await getTicket(ctx, answer.id, { anywhere: true }), warnings, outcome }
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
  const [first] = await ctx.sql<{ id: Id }>`select c.id from container c
    where c.tenant_id = ${ctx.caller.tenantId} and c.kind = ${deskKind} and not c.deleted and not c.archived and ${seen} order by c.created, c.id limit 1`
  if (!first)
    throw new RuleBroken('no-desk', 'there is no service desk yet', [
      fault(['containerId'], 'no-desk', 'is required as long as there is no service desk (kind 1)'),
    ])
  return first.id
}

type Requester = NonNullable<Facet['requester']>

/** The requester: a user, by id or by email address, or an address and a name. */
async function resolveRequester(ctx: Context, { requester }: Partial<Facet>): Promise<Requester | undefined> {
  if (requester === undefined) return undefined
  const { userId, email } = requester ?? {}
  if (!userId && !email) return requester ?? {}
  if (userId) await refuseUnknown(ctx, [{ entity: 'User', id: userId.toLowerCase(), path: ['requester', 'userId'] }])
  const [user] = await ctx.sql<{
    id: Id
    email: string
    name: string
    phone: string
  }>`select u.id, u.email, u.name, u.phone from "user" u
    where u.tenant_id = ${ctx.caller.tenantId} and not u.deleted and ${userId ? sql`u.id = ${userId}` : sql`lower(u.email) = ${(email ?? '').trim().toLowerCase()}`}`
  if (!user) return requester
  return { email: user.email, name: user.name, phone: user.phone, ...requester, userId: user.id }
}
