import { idOf } from '../../kernel/crud.ts'
import { operation } from '../../kernel/operation.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Ref, Text } from '../../kernel/schema/values.ts'
import { changeItem, demandForce, forceQuery } from '../change/change.ts'
import { items } from '../item/item.ts'
import { itemReply, itemReplySchema } from './item-reply.ts'

const inputs = { processId: Ref('Process'), status: Text(120), parentId: Ref('Item') }

interface ConvertInput {
  processId: string
  status?: string
  parentId?: string
}

const schema = Part(inputs, ['processId'])

/** Moves an item to another process, for example from bug to task, and optionally below another item. */
export const convert = operation<ConvertInput>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Convert an item to another process',
  description:
    'The item keeps its id, its key and its history. Values of fields that the new process does not have stay stored. `status` is its state in the new workflow, `parentId` its new parent (empty for none).',
  query: forceQuery,
  body: {
    schema,
    read: reader<ConvertInput>(schema),
    example: { processId: '01890000-0000-7000-8000-000000000000' },
  },
  reply: { status: 200, schema: itemReplySchema, description: 'The item after the change.' },
  refusals: [404, 412, 422],
  async run(ctx, input) {
    const warnings: string[] = []
    const force = demandForce(ctx.caller, input.query)
    const item = await changeItem(ctx, idOf(input), { patch: input.body, warnings }, { expect: input.expect, force })
    return await itemReply(ctx, item, warnings)
  },
})
