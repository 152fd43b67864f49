import { Type } from 'typebox'
import { idOf } from '../../kernel/crud.ts'
import { operation } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Ref, Text } from '../../kernel/schema/values.ts'
import { changeAll, demandForce, forceQuery } from '../change/change.ts'
import { items } from '../item/item.ts'
import { subtree } from '../subtree.ts'
import { itemReply, itemReplySchema } from './item-reply.ts'

const inputs = {
  containerId: Ref('Container'),
  areaId: Ref('Area'),
  processId: Ref('Process'),
  status: Text(120),
  children: Type.Boolean({
    description: 'Whether its descendants move, too; otherwise they stay in their container. True by default.',
    default: true,
  }),
}

interface MoveInput {
  containerId: string
  areaId?: string
  processId?: string
  status?: string
  children?: boolean
}

const schema = Part(inputs, ['containerId'])

/** Moves an item to another container, with its descendants. */
export const move = operation<MoveInput>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Move an item to another container',
  description:
    'The item gets a number and a key of the new container; its old key stays valid. It loses its area and its cycle, and its process if the new container does not have it. Values of fields that the new container does not show stay stored. Its descendants move, too, unless `children` is false.',
  query: forceQuery,
  body: {
    schema,
    read: reader<MoveInput>(schema),
    example: { containerId: '01890000-0000-7000-8000-000000000000' },
  },
  reply: { status: 200, schema: itemReplySchema, description: 'The item after the change.' },
  refusals: [404, 412, 422],
  async run(ctx, input) {
    const { children = true, ...patch } = input.body
    const { id } = await items.get(ctx, idOf(input))
    const force = demandForce(ctx.caller, input.query)
    const below = children ? (await subtree(ctx, id)).slice(1) : []
    const [moved] = await changeAll(ctx, [
      { id, read: { patch, warnings: [] }, expect: input.expect, force },
      ...below.map(each => ({ id: each.id, read: { patch: { containerId: patch.containerId }, warnings: [] }, force })),
    ])
    if (!moved) throw new NotFound()
    return await itemReply(ctx, moved.item, moved.warnings)
  },
})
