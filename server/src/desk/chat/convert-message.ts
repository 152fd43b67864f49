import { items } from '../../items/item/item.ts'
import { readItem } from '../../items/item-body/item-body.ts'
import { createOrUpdate } from '../../items/item-operations/item-operations.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/shape.ts'
import { annotations } from '../annotation/annotation.ts'
import { createAnnotation } from '../annotation/create-annotation.ts'
import { type ChatRoom, chatRooms } from './chat.ts'
import { type ChatMessage, linkItem, messageOf } from './message.ts'

// What was said becomes work: an item, or a word on the item that the room belongs to.

interface ItemInput {
  containerId?: string
  title?: string
}

const itemSchema: Schema = {
  type: 'object',
  properties: {
    containerId: {
      type: 'string',
      maxLength: 36,
      'x-ref': 'Container',
      description: 'Where it comes to lie; where the room lies, if not said.',
    },
    title: { type: 'string', maxLength: 500, description: 'The first line of what was said, if not given.' },
  },
  additionalProperties: false,
}

const itemOwner = 3
const containerOwner = 1
/** The source of items that came from a chat. */
const fromChat = 7

export const toItem = operation<ItemInput>({
  permission: items.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Make an item of a message',
  description:
    'The item gets the first line as its title and the whole as its description; the message remembers it. A second time answers the item that was made.',
  body: { schema: itemSchema, read: reader<ItemInput>(itemSchema), example: { title: 'Find the cable' } },
  reply: { status: 201, schema: items.schema, description: 'The item.' },
  also: { 200: 'It was made already.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const room = await chatRooms.get(ctx, params.id ?? '')
    const message = await messageOf(ctx, room.id, params.messageId ?? '', { lock: true })
    const known = message.itemId ? await items.find(ctx, message.itemId) : undefined
    if (known) return { status: 200, body: known, version: known.version }
    const containerId = body.containerId || (await containerOf(ctx, room))
    const wish = {
      title: body.title || titleOf(message),
      description: message.body,
      source: fromChat,
      ...(containerId ? { containerId } : {}),
    }
    const { answer } = await createOrUpdate(ctx, readItem(wish, true))
    await linkItem(ctx, room, message, answer.id)
    const item = await items.get(ctx, answer.id)
    return { body: item, version: item.version, headers: { location: `/api/item/${item.id}` } }
  },
})

function titleOf({ body }: ChatMessage): string {
  const line = body.trim().split('\n', 1)[0] ?? ''
  return (line.length > 200 ? `${line.slice(0, 199)}…` : line) || 'From a chat'
}

async function containerOf(ctx: Context, { owner, ownerId }: ChatRoom): Promise<Id | undefined> {
  if (owner === containerOwner) return ownerId
  return owner === itemOwner ? (await items.get(ctx, ownerId)).containerId : undefined
}

interface AnnotationInput {
  kind?: number
}

const annotationSchema: Schema = {
  type: 'object',
  properties: {
    kind: {
      type: 'integer',
      minimum: 0,
      maximum: 6,
      description: 'The kind of annotation; 0, an internal note, if not said.',
    },
  },
  additionalProperties: false,
}

export const toAnnotation = operation<AnnotationInput>({
  permission: annotations.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Keep a message on the item',
  description:
    'Says on the item that the room belongs to what was said in the room, as an internal note unless another kind is named. What somebody else said carries their name.',
  body: { schema: annotationSchema, read: reader<AnnotationInput>(annotationSchema), example: { kind: 0 } },
  reply: { status: 201, schema: annotations.schema, description: 'The annotation.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const room = await chatRooms.get(ctx, params.id ?? '')
    const message = await messageOf(ctx, room.id, params.messageId ?? '')
    if (room.owner !== itemOwner) throw new RuleBroken('no-item', 'the room belongs to no item')
    const text = await withAuthorName(ctx, message)
    const { warnings: _, ...said } = await createAnnotation(ctx, {
      itemId: room.ownerId,
      kind: body.kind ?? 0,
      body: text,
      via: 3,
    })
    return { body: said, version: said.version, headers: { location: `/api/annotation/${said.id}` } }
  },
})

async function withAuthorName(ctx: Context, { createdBy, body }: ChatMessage): Promise<string> {
  if (createdBy === ctx.caller.userId) return body
  const [author] = await ctx.sql<{
    name: string
  }>`select name from "user" where tenant_id = ${ctx.caller.tenantId} and id = ${createdBy}`
  return `${author?.name ?? 'Somebody'}: ${body}`
}
