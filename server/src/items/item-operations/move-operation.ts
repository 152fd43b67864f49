import { Type } from 'typebox'
import { idOf } from '../../kernel/crud.ts'
import { operation } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Ref, Text } from '../../kernel/schema/values.ts'
import { changeAll, demandForce, forceQuery } from '../change/change.ts'
import { items } from '../item/item.ts'
import { subtree } from '../item/subtree.ts'
import { itemReply, itemReplySchema } from './item-reply.ts'

const inputs = {
  containerId: Ref('Container'),
  areaId: Ref('Area'),
  processId: Ref('Process'),
  status: Text(120),
  children: Type.Boolean({ description: 'Take along what lies below it; else it stays where it is.', default: true }),
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
    'The item gets a number and a key there; its old key leads to it for ever. Area and cycle stay behind, the process too if the container does not have it; values whose fields are not shown there stay stored. `children` (true unless said otherwise) take the same way.',
  query: forceQuery,
  body: {
    schema,
    read: reader<MoveInput>(schema),
    example: { containerId: '01890000-0000-7000-8000-000000000000' },
  },
  reply: { status: 200, schema: itemReplySchema, description: 'The item as it is now.' },
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
