import { statusCategories } from '../../containers/status-category.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { items, visibleItems } from '../item/item.ts'
import { linkBehaviours } from './link-type.ts'

/** A link from the point of view of one of its items. */
interface Seen {
  id: Id
  type: Id
  name: string
  behaviour: number
  direction: 'out' | 'in' | 'both'
  note: string
  lagDays: number
  dependency: number
  external: object | null
  item: object | null
  restricted: boolean
}

const linkSchema: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The id of the link.' },
    note: { type: 'string' },
    lagDays: { type: 'integer' },
    dependency: { type: 'integer' },
    restricted: {
      type: 'boolean',
      description: 'True if the caller may not see the other item; nothing else about it is returned.',
    },
    item: {
      type: ['object', 'null'],
      properties: {
        entity: { type: 'string', const: 'Item' },
        id: { type: 'string' },
        key: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'string' },
        statusCategory: Code(statusCategories),
        startDate: { type: ['string', 'null'] },
        dueDate: { type: ['string', 'null'] },
      },
    },
    external: { type: ['object', 'null'] },
  },
  required: ['id', 'note', 'lagDays', 'dependency', 'restricted', 'item', 'external'],
}

const groupSchema: Schema = {
  type: 'object',
  title: 'LinkGroup',
  properties: {
    type: { type: 'string', description: 'The id of the type.' },
    name: { type: 'string', description: 'The name of the type from this end.' },
    behaviour: Code(linkBehaviours),
    direction: { type: 'string', enum: ['out', 'in', 'both'] },
    links: { type: 'array', items: linkSchema },
  },
  required: ['type', 'name', 'behaviour', 'direction', 'links'],
}

/** All links of an item, from its point of view. */
export const linksOfItem = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'List the links of an item',
  description:
    'The links of the item, grouped by type and direction: `out` for links from it, `in` for links to it, `both` for types without a direction. Items that the caller may not see are `restricted`; deleted items are left out.',
  reply: { status: 200, schema: { type: 'array', items: groupSchema }, description: 'The links in groups.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id } = await items.get(ctx, params.id ?? '')
    return { body: grouped(await linksSeenFrom(ctx, id)) }
  },
})

async function linksSeenFrom(ctx: Context, id: Id): Promise<Seen[]> {
  return await ctx.sql<Seen>`
    select l.id, l.type, case when d.direction = 'in' and y.inverse_name <> '' then y.inverse_name else y.name end as name, y.behaviour, d.direction, l.note, l.lag_days as "lagDays", l.dependency,
      case when l.to_id is null then l.external end as external, o.id is not null and not s.seen as restricted,
      case when s.seen then jsonb_build_object('entity', 'Item', 'id', o.id, 'key', o.key, 'title', o.title, 'status', o.status, 'statusCategory', o.status_category, 'startDate', o.start_date, 'dueDate', o.due_date) end as item
    from link l
      join link_type y on y.tenant_id = ${ctx.caller.tenantId} and y.id = l.type
      cross join lateral (select case when y.behaviour = 0 and l.to_id is not null then 'both' when l.from_id = ${id} then 'out' else 'in' end as direction) d
      left join item o on o.tenant_id = ${ctx.caller.tenantId} and o.id = case when l.from_id = ${id} then l.to_id else l.from_id end
      cross join lateral (select (o.id is not null and ${visibleItems(ctx.caller, raw('o'))}) is true as seen) s
    where l.tenant_id = ${ctx.caller.tenantId} and (l.from_id = ${id} or l.to_id = ${id}) and not l.deleted and o.deleted is not true
    order by y.behaviour, y.name, y.id, d.direction, l.id`
}

function grouped(seen: readonly Seen[]): object[] {
  const groups = Map.groupBy(seen, each => `${each.type} ${each.direction}`)
  return [...groups.values()].flatMap(group => {
    const [first] = group
    if (!first) return []
    const { type, name, behaviour, direction } = first
    const links = group.map(({ id, note, lagDays, dependency, restricted, item, external }) => ({
      id,
      note,
      lagDays,
      dependency,
      restricted,
      item,
      external,
    }))
    return [{ type, name, behaviour, direction, links }]
  })
}
