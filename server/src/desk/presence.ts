import { type Static, Type } from 'typebox'
import { type Item, items } from '../items/item/item.ts'
import { demand, staff } from '../kernel/access.ts'
import { instantText } from '../kernel/columns.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { type Operation, operation, type Routes } from '../kernel/operation.ts'
import { reader, type Schema } from '../kernel/shape.ts'
import { sql } from '../kernel/sql.ts'
import { getTicket } from './ticket/read-ticket.ts'

// Who else is looking at this, so that two people do not answer the same ticket. A table and not memory, because they may
// be talking to different processes; no event, because it is over in a moment.

/** Whoever has not been heard of for so long is gone; ms. */
const presenceTimeout = 30_000

const heartbeat = Type.Object(
  { state: Type.Optional(Type.String({ enum: ['viewing', 'replying'] })) },
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
      description: 'Who else was here within the last 30 seconds, those who are writing first.',
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

/** For staff: requesters do not watch people work. */
const presencePermission = { ...items.permissions.read, roles: staff }

/** Who else is there right now. */
export async function othersPresent(ctx: Context, itemId: Id) {
  return await ctx.sql`select p.user_id as "userId", u.name, p.state, ${instantText(sql`p.seen`)} as seen
    from presence p join "user" u on u.tenant_id = p.tenant_id and u.id = p.user_id
    where p.tenant_id = ${ctx.caller.tenantId} and p.item_id = ${itemId} and p.user_id <> ${ctx.caller.userId} and p.seen > ${new Date(ctx.now.getTime() - presenceTimeout)}
    order by p.state, p.seen, p.user_id`
}

type Find = (ctx: Context, id: Id) => Promise<Pick<Item, 'id' | 'containerId' | 'areaId'>>

const ofItem: Find = async (ctx, id) => await items.get(ctx, id)
const ofTicket: Find = getTicket

/** The item, for staff at its place. */
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
    summary: 'Say that one is looking at it',
    description:
      'To be repeated while one looks at it or writes; after 30 seconds of silence one is gone. Answers who else is there.',
    body: {
      schema: heartbeat,
      read: reader<Heartbeat>(heartbeat),
      example: { state: 'replying' },
    },
    reply: { status: 200, schema, description: 'Who else is there.' },
    refusals: [404],
    async run(ctx, { params, body }) {
      const itemId = await itemIdForStaff(ctx, find, params.id ?? '')
      const { tenantId, userId } = ctx.caller
      await ctx.sql`delete from presence where tenant_id = ${tenantId} and user_id = ${userId} and seen < ${new Date(ctx.now.getTime() - presenceTimeout)}`
      await ctx.sql`insert into presence (tenant_id, item_id, user_id, state, seen) values (${tenantId}, ${itemId}, ${userId}, ${body.state ?? 'viewing'}, ${ctx.now})
        on conflict (tenant_id, item_id, user_id) do update set state = excluded.state, seen = excluded.seen`
      return await answer(ctx, itemId)
    },
  })
}

function listOperation(find: Find): Operation {
  return operation({
    permission: presencePermission,
    placed: true,
    mode: 'read',
    summary: 'Who else is looking at it',
    description: 'Whoever said within the last 30 seconds that they are looking at it or writing; without the caller.',
    reply: { status: 200, schema, description: 'Who else is there.' },
    refusals: [404],
    run: async (ctx, { params }) => await answer(ctx, await itemIdForStaff(ctx, find, params.id ?? '')),
  })
}

function leaveOperation(find: Find): Operation {
  return operation({
    permission: presencePermission,
    placed: true,
    mode: 'write',
    summary: 'Say that one has stopped looking at it',
    description: 'The caller is gone at once; they need not have been there.',
    reply: { status: 204, description: 'The caller is not there.' },
    refusals: [404],
    async run(ctx, { params }) {
      const itemId = await itemIdForStaff(ctx, find, params.id ?? '')
      await ctx.sql`delete from presence where tenant_id = ${ctx.caller.tenantId} and item_id = ${itemId} and user_id = ${ctx.caller.userId}`
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
