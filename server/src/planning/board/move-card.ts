import { type BoardColumn, otherColumn, wipModes, wipPolicies } from '../../containers/board/board.ts'
import { changeItem } from '../../items/change/change.ts'
import { type Item, items, visibleItems } from '../../items/item/item.ts'
import type { ItemPatch } from '../../items/item-body/item-body.ts'
import { positionBeside, type RankPosition, rankAtPosition } from '../../items/rank/rank.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { operation } from '../../kernel/operation.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Ref, Text } from '../../kernel/schema/values.ts'
import { and, raw, sql } from '../../kernel/sql.ts'
import { type Grouping, groupingOf, storedValue } from './grouping.ts'
import { inColumn, loadOf, type OpenBoard, openBoard, type Sums, weights } from './open-board.ts'

interface MoveInput {
  itemId: string
  column: string
  before?: string
  after?: string
  swimlane?: string
}

const schema = Part(
  {
    itemId: Ref('Item', { minLength: 1 }),
    column: Text(500, { minLength: 1 }),
    before: Ref('Item'),
    after: Ref('Item'),
    swimlane: Text(500),
  },
  ['itemId', 'column'],
)

/** Moves a card to another column, another position, or both: the item is changed as by an update, and ranked. */
export const move = operation<MoveInput>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Move a card',
  description:
    'Sets the item to the value of the column, and of the `swimlane` if one is given, and ranks it directly before or after another card (`before` takes precedence); without either it is ranked last. The rules for updates of items apply: if the workflow, a constraint or the limit of the column (422 `wip-limit`) forbids the move, nothing is changed. A limit that only warns is reported in `warnings`.',
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
        column: { type: 'string', description: 'The id of its column after the move.' },
        warnings: { type: 'array', items: { type: 'string' } },
      },
      required: ['item', 'column', 'warnings'],
    },
    description: 'The item after the move, and its column.',
    headers: ['ETag'],
  },
  refusals: [404, 412, 422],
  async run(ctx, { params, body, expect }) {
    const open = await openBoard(ctx, params.id ?? '')
    const card = await cardOf(ctx, open, body.itemId)
    const target = targetColumn(open, body.column)
    const from = columnOf(open, card)
    const patch = { ...patchForColumn(open, card, target), ...(await patchForLane(ctx, open, card, body.swimlane)) }
    const spot = await spotOf(ctx, open, card, target, body)
    // Every move takes the locks in this order (ranking, column, card), so that moves cannot deadlock.
    const rank = spot && (await rankAtPosition(ctx, card, spot, open.containerIds))
    if (target.wip > 0) await lockColumn(ctx, open, target)
    const warnings: string[] = []
    const item = await changeItem(
      ctx,
      card.id,
      { patch, warnings },
      { expect, ...(rank === undefined ? {} : { rank }) },
    )
    if (from.id !== target.id) {
      warnings.push(...(await checkLimit(ctx, open, target)))
      await appendEvents(ctx, [
        {
          kind: 'board.cardMoved',
          entity: items.entity,
          recordId: item.id,
          changes: { boardId: { to: open.board.id }, column: { from: from.id, to: target.id } },
        },
      ])
    }
    return { body: { item, column: target.id, warnings }, version: item.version }
  },
})

/** Gets the item, which must be a card of this board. */
async function cardOf(ctx: Context, open: OpenBoard, itemId: string): Promise<Item> {
  const item = await items.find(ctx, itemId.toLowerCase())
  if (!item) throw unknownReferences([{ entity: 'Item', id: itemId, path: ['itemId'] }])
  const [on] = await ctx.sql`select 1 from ${open.from} where t.id = ${item.id} and ${open.on}`
  if (!on)
    throw new RuleBroken('not-on-board', 'the item is not on this board', [
      fault(['itemId'], 'not-on-board', 'is not on this board', itemId),
    ])
  return item
}

function targetColumn({ columns, grouping }: OpenBoard, wanted: string): BoardColumn {
  const found = columns.find(each => each.id === wanted)
  const refuse = (code: string, message: string) =>
    new RuleBroken(code, message, [fault(['column'], code, message, wanted)])
  if (!found) throw refuse('unknown-column', 'the board has no such column')
  if (found.id === otherColumn)
    throw refuse('column-other', 'cards cannot be moved into the column for all other values')
  if (!grouping || found.values.length === 0) throw refuse('column-value', 'the column has no value')
  return found
}

function columnOf({ columns, grouping }: OpenBoard, card: Item): BoardColumn {
  const value = grouping?.of(card).toLowerCase() ?? ''
  const found = columns.find(each => each.values.some(one => one.toLowerCase() === value))
  return (
    found ?? {
      id: otherColumn,
      name: '',
      values: [],
      wip: 0,
      wipMode: wipModes.cards,
      wipPolicy: wipPolicies.warn,
      collapsed: false,
    }
  )
}

/** A card that has one of the column’s values keeps it; any other card gets the first one. */
function patchForColumn({ grouping }: OpenBoard, card: Item, { values }: BoardColumn): ItemPatch {
  return grouping ? patchForValues(grouping, card, values) : {}
}

function patchForValues(grouping: Grouping, card: Item, values: readonly string[]): ItemPatch {
  const now = grouping.of(card).toLowerCase()
  const [first = ''] = values
  return values.some(each => each.toLowerCase() === now) ? {} : grouping.patchFor(first, card)
}

async function patchForLane(
  ctx: Context,
  { board }: OpenBoard,
  card: Item,
  lane: string | undefined,
): Promise<ItemPatch> {
  if (lane === undefined) return {}
  const grouping = await groupingOf(ctx, board.swimlaneField)
  if (!grouping)
    throw new RuleBroken('no-lanes', 'the board has no lanes', [
      fault(['swimlane'], 'no-lanes', 'the board has no lanes'),
    ])
  return patchForValues(grouping, card, [storedValue(grouping, lane)])
}

/** The requested position, by default the end of the column. In an empty column the rank does not matter. */
async function spotOf(
  ctx: Context,
  open: OpenBoard,
  card: Item,
  target: BoardColumn,
  { before, after }: MoveInput,
): Promise<RankPosition | undefined> {
  const asked = before || after
  if (asked) return await positionBeside(ctx, card, before ? 'before' : 'after', asked)
  const [last] =
    await ctx.sql<RankPosition>`select 'after' as side, t.id, t.rank, t.container_id as "containerId" from ${open.from}
    where ${and([open.on, inColumn(open, target), visibleItems(ctx.caller, raw('t')), sql`t.id <> ${card.id}`])}
    order by t.rank desc, t.id desc limit 1`
  return last
}

/** Serializes the moves into a column with a limit. */
async function lockColumn(ctx: Context, { board }: OpenBoard, { id }: BoardColumn): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`column ${board.id} ${id}`}, 0))`
}

/**
 * Refuses a move that exceeds the limit of the column, or warns of it. Cards that the caller cannot see count as well.
 */
async function checkLimit(ctx: Context, open: OpenBoard, target: BoardColumn): Promise<string[]> {
  if (target.wip === 0) return []
  const { points, minutes } = weights(open)
  const [sums] =
    await ctx.sql<Sums>`select count(*)::int as count, coalesce(sum(${points}), 0)::float8 as points, coalesce(sum(${minutes}), 0)::float8 as minutes
    from ${open.from} where ${and([open.on, inColumn(open, target)])}`
  const load = sums ? loadOf(target, sums) : 0
  if (load <= target.wip) return []
  const unit = ['cards', 'points', 'minutes'][target.wipMode] ?? 'cards'
  const message = `${target.name} is limited to ${target.wip} ${unit} and would have ${load}`
  if (target.wipPolicy === wipPolicies.block)
    throw new RuleBroken('wip-limit', message, [fault(['column'], 'wip-limit', message, target.id)], {
      limit: target.wip,
      load,
    })
  return [message]
}
