import { idOf } from '../../kernel/crud.ts'
import { operation } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Ref } from '../../kernel/schema/values.ts'
import { changeItem } from '../change/change.ts'
import { items } from '../item/item.ts'
import { positionBeside, rankAtPosition } from '../rank/rank.ts'
import { itemReply, itemReplySchema } from './item-reply.ts'

interface RankInput {
  before?: string
  after?: string
}

const schema = Part({ before: Ref('Item'), after: Ref('Item') })

/** Changes the rank of an item without a board. */
export const rank = operation<RankInput>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Rank an item',
  description:
    'Moves the item directly before or after another one, in the order of boards and of lists that are sorted by `rank`.',
  body: {
    schema,
    read: reader<RankInput>(schema),
    example: { after: '01890000-0000-7000-8000-000000000000' },
  },
  reply: { status: 200, schema: itemReplySchema, description: 'The item after the change.' },
  refusals: [404, 412, 422],
  async run(ctx, input) {
    const { before, after } = input.body
    if (!before === !after)
      throw new Invalid([fault(['before'], 'required', 'exactly one of before and after is required')])
    const item = await items.get(ctx, idOf(input))
    const [side, wanted] = before ? (['before', before] as const) : (['after', after ?? ''] as const)
    const position = await positionBeside(ctx, item, side, wanted)
    const warnings: string[] = []
    const more = position && {
      rank: await rankAtPosition(ctx, item, position, [...new Set([item.containerId, position.containerId])]),
    }
    const ranked = await changeItem(ctx, item.id, { patch: {}, warnings }, { expect: input.expect, ...more })
    return await itemReply(ctx, ranked, warnings)
  },
})
