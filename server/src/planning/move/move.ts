import { Type } from 'typebox'
import { demandForce, forceQuery } from '../../items/change/change.ts'
import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Ref, Refs, Text } from '../../kernel/schema/values.ts'
import { raw } from '../../kernel/sql.ts'
import { changeTogether, maxMoved } from './change-together.ts'

interface MoveItemsInput {
  itemIds: Id[]
  containerId: Id
  areaId?: Id
  processId?: Id
  status?: string
  children?: boolean
}

const schema = Part(
  {
    itemIds: { ...Refs('Item', maxMoved), minItems: 1 },
    containerId: Ref('Container', { minLength: 1 }),
    areaId: Ref('Area'),
    processId: Ref('Process'),
    status: Text(120),
    children: Type.Boolean({
      description: 'Whether their descendants move, too; otherwise they stay in their container. True by default.',
      default: true,
    }),
  },
  ['itemIds', 'containerId'],
)

/** The descendants that move together with the items. */
const maxBelow = 2000

/** Moves many items to another container, all or none. */
const moveItems = operation<MoveItemsInput>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Move items to another container',
  description: `Moves up to ${maxMoved} items like \`POST /item/:id/move\`, in one change set: all or none. If some cannot be moved, 422 \`items-refused\` names each of them with its reason in \`Fields\` and \`refused\`. Their descendants move, too (at most ${maxBelow}), unless \`children\` is false.`,
  query: forceQuery,
  body: {
    schema,
    read: reader<MoveItemsInput>(schema),
    example: {
      itemIds: ['01890000-0000-7000-8000-000000000000'],
      containerId: '01890000-0000-7000-8000-000000000001',
    },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'MovedItems',
      properties: {
        items: { type: 'array', items: items.schema, description: 'The named items after the change.' },
        warnings: { type: 'array', items: { type: 'string' } },
      },
      required: ['items', 'warnings'],
    },
    description: 'The items after the change.',
  },
  refusals: [422],
  async run(ctx, { body: { itemIds, children = true, ...patch }, query }) {
    const force = demandForce(ctx.caller, query)
    const named = [...new Set(itemIds.map(each => each.toLowerCase()))]
    const below = children ? await descendantsOf(ctx, named) : []
    const moved = await changeTogether(ctx, [
      ...named.map(id => ({ id, read: { patch, warnings: [] }, force })),
      ...below.map(id => ({ id, read: { patch: { containerId: patch.containerId }, warnings: [] }, force })),
    ])
    return {
      body: {
        items: moved.slice(0, named.length).map(each => each.item),
        warnings: [...new Set(moved.flatMap(each => each.warnings))],
      },
    }
  },
})

/** The descendants of items that the caller sees, without the items themselves. */
async function descendantsOf(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const t = raw('t')
  const rows = await ctx.sql<{ id: Id }>`
    with recursive below as (
      select r.id, 0 as depth from item r where r.tenant_id = ${ctx.caller.tenantId} and r.id = any(${ids.filter(isId)}::uuid[])
      union
      select t.id, b.depth + 1 from below b
        join item t on t.tenant_id = ${ctx.caller.tenantId} and t.parent_id = b.id and not t.deleted and ${items.visible(ctx.caller, t)}
      where b.depth < 50
    ) select b.id from below b where b.id <> all(${ids.filter(isId)}::uuid[]) group by b.id order by min(b.depth), b.id limit ${maxBelow + 1}`
  if (rows.length > maxBelow)
    throw new RuleBroken('too-many-items', `the items have more than ${maxBelow} descendants; move them in parts`)
  return rows.map(row => row.id)
}

export const routes: Routes = { 'POST /item/move': moveItems }
