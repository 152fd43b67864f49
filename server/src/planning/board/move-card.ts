import type { BoardColumn } from '../../containers/board/board.ts'
import { changeAll, type ItemChangeRequest } from '../../items/change/change.ts'
import { type Item, items, visibleItems } from '../../items/item/item.ts'
import { positionBeside, type RankPosition, ranksAtPosition } from '../../items/rank/rank.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, Invalid, NotFound, RuleBroken } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Ref, Refs, Text } from '../../kernel/schema/values.ts'
import { and, raw, sql } from '../../kernel/sql.ts'
import { changeTogether, maxMoved } from '../move/change-together.ts'
import { columnOf, laneOf, patchForColumn, targetColumn } from './move-target.ts'
import { inColumn, type OpenBoard, openBoard } from './open-board.ts'
import { checkLimit, lockColumn } from './wip-limit.ts'

interface MoveInput {
  itemId?: string
  itemIds?: string[]
  column: string
  before?: string
  after?: string
  swimlane?: string
}

const schema = Part(
  {
    itemId: Ref('Item', { minLength: 1 }),
    itemIds: {
      ...Refs('Item', maxMoved),
      minItems: 1,
      description: 'Several cards instead of one: all are moved, in this order, or none.',
    },
    column: Text(500, { minLength: 1 }),
    before: Ref('Item'),
    after: Ref('Item'),
    swimlane: Text(500),
  },
  ['column'],
)

/** Moves cards to another column, another position, or both: each item is changed as by an update, and ranked. */
export const move = operation<MoveInput>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Move a card',
  description: `Sets the item to the value of the column, and of the \`swimlane\` if one is given, and ranks it directly before or after another card (\`before\` takes precedence); without either it is ranked last. The rules for updates of items apply: if the workflow, a constraint or the limit of the column (422 \`wip-limit\`) forbids the move, nothing is changed. A limit that only warns is reported in \`warnings\`. \`itemIds\` instead of \`itemId\` moves up to ${maxMoved} cards in one change set, one behind the other: all or none. If some cannot be moved, 422 \`items-refused\` names each of them with its reason in \`Fields\` and \`refused\`.`,
  body: {
    schema,
    read: reader<MoveInput>(schema),
    example: { itemId: '01890000-0000-7000-8000-000000000000', column: 'doing' },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'MovedCard',
      properties: {
        item: items.schema,
        items: { type: 'array', items: items.schema, description: 'With `itemIds`: all items; `item` is the first.' },
        column: { type: 'string', description: 'The id of the column after the move.' },
        warnings: { type: 'array', items: { type: 'string' } },
      },
      required: ['item', 'column', 'warnings'],
    },
    description: 'The item or the items after the move, and the column.',
    headers: ['ETag'],
  },
  refusals: [404, 412, 422],
  async run(ctx, { params, body, expect }) {
    const ids = idsIn(body, expect)
    const open = await openBoard(ctx, params.id ?? '')
    const cards = await cardsOf(ctx, open, ids, body.itemIds !== undefined)
    const target = targetColumn(open, body.column)
    const lane = await laneOf(ctx, open, body.swimlane)
    const spot = await spotOf(ctx, open, cards, target, body)
    // Every move takes the locks in this order (ranking, column, card), so that moves cannot deadlock.
    const ranks = await ranksAt(ctx, open, cards, spot)
    if (target.wip > 0) await lockColumn(ctx, open, target)
    const wanted = cards.map((card, n): ItemChangeRequest => {
      const patch = { ...patchForColumn(open, card, target), ...lane?.(card) }
      const rank = ranks[n]
      return { id: card.id, read: { patch, warnings: [] }, expect, ...(rank === undefined ? {} : { rank }) }
    })
    const changed = await (body.itemIds ? changeTogether : changeAll)(ctx, wanted)
    const warnings = [...wanted.flatMap(each => each.read.warnings), ...changed.flatMap(each => each.warnings)]
    const entering = cards.filter(card => columnOf(open, card).id !== target.id)
    if (entering.length > 0) warnings.push(...(await checkLimit(ctx, open, target)))
    await appendEvents(
      ctx,
      entering.map(card => ({
        kind: 'board.cardMoved',
        entity: items.entity,
        recordId: card.id,
        changes: { boardId: { to: open.board.id }, column: { from: columnOf(open, card).id, to: target.id } },
      })),
    )
    const all = changed.map(each => each.item)
    const [item] = all
    if (!item) throw new NotFound()
    const shown = { item, column: target.id, warnings: [...new Set(warnings)] }
    return body.itemIds ? { body: { ...shown, items: all } } : { body: shown, version: item.version }
  },
})

/** The cards that the body names: one, or several, which have no version in common. */
function idsIn({ itemId, itemIds }: MoveInput, expect: Expect): Id[] {
  if ((itemId === undefined) === (itemIds === undefined))
    throw new Invalid([fault(['itemId'], 'required', 'exactly one of itemId and itemIds is required')])
  if (itemIds && expect)
    throw new Invalid([fault(['itemIds'], 'exclusive', 'cannot be combined with If-Match, which is for one item')])
  return [...new Set((itemIds ?? [itemId ?? '']).map(each => each.toLowerCase()))]
}

/** Gets the items, which must be cards of this board. */
async function cardsOf(ctx: Context, open: OpenBoard, ids: readonly Id[], several: boolean): Promise<Item[]> {
  const at = (id: Id) => (several ? ['itemIds', ids.indexOf(id)] : ['itemId'])
  const t = raw('t')
  const among = ids.filter(isId)
  const rows = await ctx.sql<{ json: string; on: boolean }>`
    select ${await items.jsonFor(ctx, t)} as json, t.id in (select t.id from ${open.from} where t.id = any(${among}::uuid[]) and ${open.on}) as on
    from item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${among}::uuid[]) and not t.deleted and ${visibleItems(ctx.caller, t)}`
  const found = new Map(
    rows.map(({ json, on }) => {
      const item: Item = JSON.parse(json)
      return [item.id, { item, on }]
    }),
  )
  const unknown = ids.filter(id => !found.has(id))
  if (unknown.length > 0) throw unknownReferences(unknown.map(id => ({ entity: 'Item', id, path: at(id) })))
  const elsewhere = ids.filter(id => !found.get(id)?.on)
  if (elsewhere.length > 0)
    throw new RuleBroken(
      'not-on-board',
      several ? 'some items are not on this board' : 'the item is not on this board',
      elsewhere.map(id => fault(at(id), 'not-on-board', 'is not on this board', id)),
    )
  return ids.flatMap(id => found.get(id)?.item ?? [])
}

/** The new ranks. In an empty column the first card keeps its own, and the others follow it. */
async function ranksAt(
  ctx: Context,
  { containerIds }: OpenBoard,
  cards: readonly Item[],
  spot: RankPosition | undefined,
): Promise<(string | undefined)[]> {
  if (spot) return await ranksAtPosition(ctx, cards, spot, containerIds)
  const [first, ...others] = cards
  if (!first || others.length === 0) return []
  const { id, rank, containerId } = first
  return [undefined, ...(await ranksAtPosition(ctx, others, { side: 'after', id, rank, containerId }, containerIds))]
}

/** The requested position, by default the end of the column; undefined in an empty one. */
async function spotOf(
  ctx: Context,
  open: OpenBoard,
  cards: readonly Item[],
  target: BoardColumn,
  { before, after, itemIds }: MoveInput,
): Promise<RankPosition | undefined> {
  const asked = before || after
  const side = before ? 'before' : 'after'
  const ids = cards.map(each => each.id)
  if (asked && itemIds && ids.includes(asked.toLowerCase()))
    throw new Invalid([fault([side], 'exclusive', 'is one of the cards that move', asked)])
  if (asked) return await positionBeside(ctx, { id: ids[0] ?? '' }, side, asked)
  const [last] =
    await ctx.sql<RankPosition>`select 'after' as side, t.id, t.rank, t.container_id as "containerId" from ${open.from}
    where ${and([open.on, inColumn(open, target), visibleItems(ctx.caller, raw('t')), sql`t.id <> all(${ids}::uuid[])`])}
    order by t.rank desc, t.id desc limit 1`
  return last
}
