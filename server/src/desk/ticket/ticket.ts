import { Type } from 'typebox'
import { containerKind } from '../../containers/container-kind.ts'
import { type Item, visibleItems } from '../../items/item/item.ts'
import { itemSource } from '../../items/item-codes.ts'
import { contributors, everyone, managers, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Email, Instant, LongText, Part, Ref, Text } from '../../kernel/schema/values.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { channel, channels } from '../channel.ts'

/** Who has to act next. */
export const waitingParty = { ours: 0, requester: 1, thirdParty: 2 } as const
export const waitingParties = codeTableOfCodes('ticket.waitingOn', waitingParty)

const shape = {
  requester: Part({
    userId: Ref('User'),
    email: Text(254),
    name: Text(200),
    phone: Text(60),
    unproven: Type.Boolean({
      description: 'Somebody said that this is their address, and has not proven it: it names no user and no customer.',
    }),
  }),
  cc: Type.Array(Email, { maxItems: 100 }),
  channel: Code(channels, {
    default: channel.api,
    description: '0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social.',
  }),
  mailboxId: Ref('Mailbox'),
  queueGroupId: Ref('UserGroup'),
  waitingOn: Code(waitingParties, { description: 'Who has to act next: 0 we · 1 the requester · 2 a third party.' }),
  snoozedUntil: Instant,
  satisfaction: Part({ score: Count(5, 1), comment: LongText(5000), at: Instant }),
  firstReplyAt: Instant,
  reopenCount: Count(),
  lastRequesterAt: Instant,
  lastStaffAt: Instant,
  language: Text(35),
  spam: Type.Boolean(),
  spamScore: Type.Number({ minimum: -1_000_000, maximum: 1_000_000 }),
  followUpId: Ref('Item'),
  linkGeneration: Count(),
}

export type Facet = Values<typeof shape>
/** A ticket in the API: the item together with its ticket properties (the facet). */
export type Ticket = Stored<typeof shape> & Omit<Item, 'entity'>

/** The kind of containers that are service desks. */
export const deskKind = containerKind.desk

/** The facet of an item on a service desk: one row with the item’s id. The API shows it together with the item. */
export const tickets = resource('Ticket', {
  about: 'An item of a service desk: the item itself, its requester, and the state of the conversation.',
  shape,
  serverSet: [
    'satisfaction',
    'firstReplyAt',
    'reopenCount',
    'lastRequesterAt',
    'lastStaffAt',
    'spam',
    'followUpId',
    'linkGeneration',
  ],
  may: { read: everyone, create: contributors, update: members, delete: managers },
  placed: true,
  visible: (caller, t) =>
    sql`exists (select 1 from item i where i.tenant_id = ${caller.tenantId} and i.id = ${t}.id and ${visibleItems(caller, raw('i'))})`,
})

/**
 * Creates the missing facets of items that did not come to the desk through the ticket API. This is no change of the
 * ticket, so that it writes no event.
 */
export async function ensureFacets(ctx: Context, itemIds: readonly Id[]): Promise<void> {
  const { tenantId, userId } = ctx.caller
  await ctx.sql`insert into ticket (tenant_id, id, created, created_by, updated, updated_by, channel)
    select i.tenant_id, i.id, i.created, i.created_by, i.created, ${userId}::uuid, case i.source when ${itemSource.mail} then ${channel.mail} when ${itemSource.portal} then ${channel.portal} when ${itemSource.chat} then ${channel.chat} else ${channel.api}::int end
    from item i where i.tenant_id = ${tenantId} and i.id = any(${itemIds}::uuid[])
    on conflict (tenant_id, id) do nothing returning 1`
}

/** Changes the facet of an item. */
export async function changeFacet(ctx: Context, itemId: Id, values: Partial<Facet>): Promise<void> {
  if (Object.keys(values).length === 0) return
  await ensureFacets(ctx, [itemId])
  await tickets.update(ctx, itemId, values)
}
