import { cycles } from '../../containers/cycle/cycle.ts'
import { changeAll, type ItemChangeRequest } from '../../items/change/change.ts'
import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Refs } from '../../kernel/schema/values.ts'

interface PlanInput {
  add?: Id[]
  remove?: Id[]
}

const schema = Part({ add: Refs('Item', 1000), remove: Refs('Item', 1000) })

/** Moves many items into a cycle and out of it, in one transaction. */
export const planItems = operation<PlanInput>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Plan the items of a cycle',
  description:
    'Moves items into the cycle, from whatever cycle they are in, and others back to the backlog; an item to remove that is not in this cycle stays where it is. All changes are made in one transaction.',
  body: {
    schema,
    read: reader<PlanInput>(schema),
    example: { add: ['01890000-0000-7000-8000-000000000000'], remove: [] },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'PlannedItems',
      properties: {
        added: { type: 'integer' },
        removed: { type: 'integer' },
        warnings: { type: 'array', items: { type: 'string' } },
      },
      required: ['added', 'removed', 'warnings'],
    },
    description: 'The numbers of added and removed items.',
  },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const cycle = await cycles.get(ctx, params.id ?? '')
    const [add, remove] = [plain(body.add), plain(body.remove)]
    const both = remove.findIndex(id => add.includes(id))
    if (both >= 0)
      throw new Invalid([fault(['remove', both], 'duplicate', 'must not be in both add and remove', remove[both])])
    await refuseUnknown(ctx, [
      ...add.map((id, i) => ({ entity: items.entity, id, path: ['add', i] })),
      ...remove.map((id, i) => ({ entity: items.entity, id, path: ['remove', i] })),
    ])
    const inside = await insideOf(ctx, cycle.id, remove)
    const put = (id: Id, cycleId: Id | ''): ItemChangeRequest => ({ id, read: { patch: { cycleId }, warnings: [] } })
    const changed = await changeAll(ctx, [...add.map(id => put(id, cycle.id)), ...inside.map(id => put(id, ''))])
    const updated = new Set(changed.filter(each => each.outcome === 'updated').map(each => each.id))
    return {
      body: {
        added: add.filter(id => updated.has(id)).length,
        removed: inside.filter(id => updated.has(id)).length,
        warnings: changed.flatMap(each => each.warnings),
      },
    }
  },
})

const plain = (ids: readonly Id[] = []) => [...new Set(ids.map(id => id.toLowerCase()))]

async function insideOf(ctx: Context, cycleId: Id, ids: readonly Id[]): Promise<Id[]> {
  const rows = await ctx.sql<{
    id: Id
  }>`select id from item where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and cycle_id = ${cycleId}`
  return rows.map(row => row.id)
}
