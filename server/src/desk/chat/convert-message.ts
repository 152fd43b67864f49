import { items } from '../../items/item/item.ts'
import { readItem } from '../../items/item-body/item-body.ts'
import { itemSource } from '../../items/item-codes.ts'
import { createOrUpdate } from '../../items/item-operations/item-operations.ts'
import { members, narrowedTo } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { Code } from '../../records/code-table.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { annotationKind, annotationKinds, annotations } from '../annotation/annotation.ts'
import { createAnnotation } from '../annotation/create-annotation.ts'
import { channel } from '../channel.ts'
import { type ChatRoom, chatRooms } from './chat.ts'
import { type ChatMessage, linkItem, messageOf } from './message.ts'

// A message can become work: a new item, or an annotation of the item that the room belongs to.

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
      description: 'The container of the item; by default that of the room.',
    },
    title: { type: 'string', maxLength: 500, description: 'By default the first line of the message.' },
  },
  additionalProperties: false,
}

export const toItem = operation<ItemInput>({
  permission: narrowedTo(members, items.permissions.create),
  placed: true,
  mode: 'write',
  summary: 'Create an item from a message',
  description:
    'The first line becomes the title of the item and the whole message its description; the message stores the item’s id. A second request returns the same item.',
  body: { schema: itemSchema, read: reader<ItemInput>(itemSchema), example: { title: 'Find the cable' } },
  reply: { status: 201, schema: items.schema, description: 'The item.' },
  also: { 200: 'The item existed already.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const room = await chatRooms.get(ctx, params.id ?? '')
    const message = await messageOf(ctx, room.id, params.messageId ?? '', { lock: true })
    const known = message.itemId ? await items.find(ctx, message.itemId) : undefined
    if (known) return { status: 200, body: known, version: known.version }
    const containerId = body.containerId || (await containerOf(ctx, room))
    const input = {
      title: body.title || titleOf(message),
      description: message.body,
      source: itemSource.chat,
      ...(containerId ? { containerId } : {}),
    }
    const { answer } = await createOrUpdate(ctx, readItem(input, true))
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
  if (owner === ownerKind.container) return ownerId
  return owner === ownerKind.item ? (await items.get(ctx, ownerId)).containerId : undefined
}

interface AnnotationInput {
  kind?: number
}

const annotationSchema: Schema = {
  type: 'object',
  properties: {
    kind: Code(annotationKinds, {
      minimum: 0,
      maximum: 6,
      description: 'The kind of annotation; by default 0, an internal note.',
    }),
  },
  additionalProperties: false,
}

export const toAnnotation = operation<AnnotationInput>({
  permission: narrowedTo(members, annotations.permissions.create),
  placed: true,
  mode: 'write',
  summary: 'Create an annotation from a message',
  description:
    'Copies the message to the item that the room belongs to, by default as an internal note. If somebody else wrote the message, the text includes their name.',
  body: {
    schema: annotationSchema,
    read: reader<AnnotationInput>(annotationSchema),
    example: { kind: annotationKind.note },
  },
  reply: { status: 201, schema: annotations.schema, description: 'The annotation.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const room = await chatRooms.get(ctx, params.id ?? '')
    const message = await messageOf(ctx, room.id, params.messageId ?? '')
    if (room.owner !== ownerKind.item) throw new RuleBroken('no-item', 'the room belongs to no item')
    const text = await withAuthorName(ctx, message)
    const { warnings: _, ...said } = await createAnnotation(ctx, {
      itemId: room.ownerId,
      kind: body.kind ?? annotationKind.note,
      body: text,
      via: channel.chat,
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
