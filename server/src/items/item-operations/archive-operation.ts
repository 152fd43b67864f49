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
      ? 'Archives a closed item: lists, boards and searches omit it unless `archived=include|only` is given, rules and schedules ignore it, and it is read-only. Archiving an archived item changes nothing.'
      : 'Unarchives an item, which stays closed. Unarchiving an item that is not archived changes nothing.',
    reply: { status: 200, schema: itemReplySchema, description: 'The item after the change.' },
    refusals: [404, 412, 422],
    async run(ctx, input) {
      const warnings: string[] = []
      const item = await changeItem(ctx, idOf(input), { patch: { archived }, warnings }, { expect: input.expect })
      return await itemReply(ctx, item, warnings)
    },
  })
}
