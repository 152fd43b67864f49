import { idOf } from '../../kernel/crud.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { changeItem } from '../change/change.ts'
import { items } from '../item/item.ts'
import { itemReply, itemReplySchema } from './item-reply.ts'

/** Archives or unarchives an item. */
export function archiving(archived: boolean): Operation {
  return operation({
    permission: items.permissions.update,
    placed: true,
    mode: 'write',
    summary: archived ? 'Archive an item' : 'Unarchive an item',
    description: archived
      ? 'Puts closed work away: lists, boards and searches leave it out unless they are asked for it (`archived=include|only`), rules and schedules pass it by, and it is not changed. One that is archived stays so.'
      : 'Takes an item out again, closed as it was. One that is not archived stays as it is.',
    reply: { status: 200, schema: itemReplySchema, description: 'The item as it is now.' },
    refusals: [404, 412, 422],
    async run(ctx, input) {
      const warnings: string[] = []
      const item = await changeItem(ctx, idOf(input), { patch: { archived }, warnings }, { expect: input.expect })
      return await itemReply(ctx, item, warnings)
    },
  })
}
