import { statusCategory } from '../../containers/status-category.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Text } from '../../kernel/schema/values.ts'
import { raw } from '../../kernel/sql.ts'
import { changeAll } from '../change/change.ts'
import { type Item, items, visibleItems } from '../item/item.ts'
import { closedCategories, isClosed } from '../status.ts'
import { behaviours } from './link-type.ts'

interface Closing {
  status?: string
  resolution?: string
}

const schema = Part({ status: Text(120), resolution: Text(120) })

/** Closes the duplicates of an item in one change set. */
export const closeDuplicates = operation<Closing>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Close the duplicates of an item',
  description:
    'Closes all open items that are linked as duplicates of this one and that the caller sees. They get `status`, or else the status of this item if it is closed, or else `Closed`; and `resolution`, or else `duplicate`. If one change is refused, none is made.',
  body: { schema, read: reader<Closing>(schema), example: { status: 'Closed' } },
  reply: {
    status: 200,
    schema: { type: 'array', items: items.schema },
    description: 'The items that were closed.',
  },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const master = await items.get(ctx, params.id ?? '')
    const wanted = (await openDuplicates(ctx, master.id)).map(id => ({
      id,
      read: { patch: closing(master, body), warnings: [] },
    }))
    return { body: (await changeAll(ctx, wanted)).map(each => each.item) }
  },
})

/** The category is set explicitly, because the word of the status alone may not mean closed. */
function closing(master: Item, { status, resolution }: Closing) {
  const closed = isClosed(master.statusCategory)
  return {
    status: status || (closed ? master.status : 'Closed'),
    statusCategory: closed ? master.statusCategory : statusCategory.done,
    resolution: resolution || 'duplicate',
  }
}

async function openDuplicates(ctx: Context, id: Id): Promise<Id[]> {
  const t = raw('t')
  const rows = await ctx.sql<{ id: Id }>`select distinct t.id from link l
    join item t on t.tenant_id = ${ctx.caller.tenantId} and t.id = l.from_id
    where l.tenant_id = ${ctx.caller.tenantId} and l.to_id = ${id} and l.behaviour = ${behaviours.duplicates} and not l.deleted
      and not t.deleted and t.status_category not in ${closedCategories} and ${visibleItems(ctx.caller, t)} order by t.id limit 500`
  return rows.map(row => row.id)
}
