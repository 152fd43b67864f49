import { type Static, Type } from 'typebox'
import { sendNotice } from '../engine/live/private-notices.ts'
import { type Item, items } from '../items/item/item.ts'
import { demand, narrowedTo, staff } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { type Operation, operation, type Routes } from '../kernel/operation.ts'
import { instantText } from '../kernel/record/columns.ts'
import { reader, type Schema } from '../kernel/schema/shape.ts'
import { ownTenant, sql } from '../kernel/sql.ts'
import { getTicket } from './ticket/read-ticket.ts'

// Presence shows who else views an item, so that two people do not answer the same ticket. It is stored in a table
// because the users may be connected to different processes, and it writes no events because it is short-lived: open
// applications receive a notice when somebody comes, begins to reply or goes.

/** A user without a heartbeat for this long is no longer present; in milliseconds. */
export const presenceTimeout = 30_000

type PresenceState = 'viewing' | 'replying'

const heartbeat = Type.Object(
  { state: Type.Optional(Type.Enum(['viewing', 'replying'])) },
  { additionalProperties: false },
)
type Heartbeat = Static<typeof heartbeat>

const schema: Schema = {
  type: 'object',
  title: 'Presence',
  properties: {
    itemId: { type: 'string' },
    others: {
      type: 'array',
      description: 'The other users with a heartbeat within the last 30 seconds, those who are replying first.',
      items: {
        type: 'object',
        properties: {
          userId: { type: 'string' },
          name: { type: 'string' },
          state: { type: 'string', enum: ['viewing', 'replying'] },
          seen: { type: 'string', format: 'date-time' },
        },
        required: ['userId', 'name', 'state', 'seen'],
      },
    },
  },
  required: ['itemId', 'others'],
}

/** Presence is for staff only: requesters must not see who works on their ticket. */
const presencePermission = narrowedTo(staff, items.permissions.read)

/** The other users who view the item now. */
async function othersPresent(ctx: Context, itemId: Id) {
  return await ctx.sql`select p.user_id as "userId", u.name, p.state, ${instantText(sql`p.seen`)} as seen
    from presence p join "user" u on u.tenant_id = ${ownTenant} and u.id = p.user_id
    where p.tenant_id = ${ctx.caller.tenantId} and p.item_id = ${itemId} and p.user_id <> ${ctx.caller.userId} and p.seen > ${new Date(ctx.now.getTime() - presenceTimeout)}
    order by p.state, p.seen, p.user_id`
}

type Find = (ctx: Context, id: Id) => Promise<Pick<Item, 'id' | 'containerId' | 'areaId'>>

const ofItem: Find = async (ctx, id) => await items.get(ctx, id)
const ofTicket: Find = getTicket

/** Returns the item’s id, and refuses callers who are not staff where the item is. */
async function itemIdForStaff(ctx: Context, find: Find, id: Id): Promise<Id> {
  const item = await find(ctx, id)
  demand(ctx.caller, presencePermission, item)
  return item.id
}

const answer = async (ctx: Context, itemId: Id) => ({ body: { itemId, others: await othersPresent(ctx, itemId) } })

function heartbeatOperation(find: Find): Operation {
  return operation<Heartbeat>({
    permission: presencePermission,
    placed: true,
    mode: 'write',
    summary: 'Report presence',
    description:
      'A client repeats this request while its user views the item or writes a reply; after 30 seconds without it the user is no longer present. Returns the other users who are present. Their streams of events receive `viewing.changed` when this changes.',
    body: {
      schema: heartbeat,
      read: reader<Heartbeat>(heartbeat),
      example: { state: 'replying' },
    },
    reply: { status: 200, schema, description: 'The other users who are present.' },
    refusals: [404],
    async run(ctx, { params, body }) {
      const itemId = await itemIdForStaff(ctx, find, params.id ?? '')
      await reportPresence(ctx, itemId, body.state ?? 'viewing')
      return await answer(ctx, itemId)
    },
  })
}

async function reportPresence(ctx: Context, itemId: Id, state: PresenceState): Promise<void> {
  const { tenantId, userId, name } = ctx.caller
  const left = await ctx.sql<{ itemId: Id }>`delete from presence
    where tenant_id = ${tenantId} and user_id = ${userId} and seen < ${new Date(ctx.now.getTime() - presenceTimeout)} returning item_id as "itemId"`
  const [before] = await ctx.sql<{ state: PresenceState }>`select state from presence
    where tenant_id = ${tenantId} and item_id = ${itemId} and user_id = ${userId}`
  await ctx.sql`insert into presence (tenant_id, item_id, user_id, state, seen) values (${tenantId}, ${itemId}, ${userId}, ${state}, ${ctx.now})
    on conflict (tenant_id, item_id, user_id) do update set state = excluded.state, seen = excluded.seen`
  ctx.afterCommit(() => {
    for (const each of left) if (each.itemId !== itemId) tellPresence(tenantId, { ...each, userId, state: null })
    if (before?.state !== state) tellPresence(tenantId, { itemId, userId, name, state })
  })
}

/** Tells the staff who see the item that somebody views it or replies, or does so no longer. */
export function tellPresence(
  tenantId: Id,
  presence: { itemId: Id; userId: Id; name?: string; state: PresenceState | null },
): void {
  const { itemId: recordId, userId: exceptId } = presence
  const data = JSON.stringify(presence)
  sendNotice({ tenantId, entity: items.entity, name: 'viewing.changed', data, recordId, exceptId })
}

function listOperation(find: Find): Operation {
  return operation({
    permission: presencePermission,
    placed: true,
    mode: 'read',
    summary: 'List who is present',
    description:
      'The users who reported within the last 30 seconds that they view the item or reply to it, without the caller.',
    reply: { status: 200, schema, description: 'The other users who are present.' },
    refusals: [404],
    run: async (ctx, { params }) => await answer(ctx, await itemIdForStaff(ctx, find, params.id ?? '')),
  })
}

function leaveOperation(find: Find): Operation {
  return operation({
    permission: presencePermission,
    placed: true,
    mode: 'write',
    summary: 'End presence',
    description: 'Ends the caller’s presence at once. Succeeds also if the caller was not present.',
    reply: { status: 204, description: 'The caller is not present.' },
    refusals: [404],
    async run(ctx, { params }) {
      const itemId = await itemIdForStaff(ctx, find, params.id ?? '')
      const { tenantId, userId } = ctx.caller
      const gone = await ctx.sql`delete from presence
        where tenant_id = ${tenantId} and item_id = ${itemId} and user_id = ${userId} returning true`
      if (gone.length > 0) ctx.afterCommit(() => tellPresence(tenantId, { itemId, userId, state: null }))
      return {}
    },
  })
}

export const routes: Routes = {
  'GET /item/:id/viewing': listOperation(ofItem),
  'PUT /item/:id/viewing': heartbeatOperation(ofItem),
  'DELETE /item/:id/viewing': leaveOperation(ofItem),
  'GET /ticket/:id/viewing': listOperation(ofTicket),
  'PUT /ticket/:id/viewing': heartbeatOperation(ofTicket),
  'DELETE /ticket/:id/viewing': leaveOperation(ofTicket),
}
