import { users } from '../../admin/user/user.ts'
import { items } from '../../items/item/item.ts'
import { permission, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { answerList } from '../../kernel/list/list-operation.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { operation } from '../../kernel/operation.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'

const pageSize = 100

/** The open items that are assigned to a user. */
export function openItemsOf(userId: Id, t: Sql): Sql {
  return sql`${t}.closed_at is null and ${t}.id in (
    select a.item_id from item_assignee a where a.tenant_id = ${ownTenant} and a.user_id = ${userId})`
}

/** The open work of a user, for example before they are deactivated. */
export const assignments = operation({
  permission: permission('userAssignment.read', staff),
  mode: 'read',
  summary: 'List the open assignments of a user',
  description: `The open items that are assigned to this user and that the caller sees: the number in each container, and the items in pages (\`limit\`, by default ${pageSize}; the \`cursor\` of the next page is in \`X-Next-Cursor\`). They can be filtered and sorted by properties, like the list of items.`,
  filters: true,
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'The maximum number of items.' },
    cursor: { type: 'string', description: 'The cursor from the previous page.' },
    sort: { type: 'string', description: 'Properties to sort by; a leading `-` means descending.' },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'UserAssignments',
      properties: {
        total: { type: 'integer' },
        containers: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              containerId: { type: 'string' },
              name: { type: 'string' },
              count: { type: 'integer' },
            },
            required: ['containerId', 'name', 'count'],
          },
        },
        items: { type: 'array', items: items.schema },
      },
      required: ['total', 'containers', 'items'],
    },
    description: 'The open items.',
  },
  refusals: [404],
  async run(ctx, input) {
    const { id } = await users.get(ctx, input.params.id ?? '', { deleted: true })
    const containers = await countsOf(ctx, id)
    const listing = await readListing(
      ctx,
      items,
      { limit: pageSize, ...input.query },
      {
        where: openItemsOf(id, raw('t')),
        about: id,
      },
    )
    const { text = '[]', headers = {} } = await answerList(ctx, listing, input)
    const total = containers.reduce((sum, each) => sum + each.count, 0)
    return { headers, text: `{"total":${total},"containers":${JSON.stringify(containers)},"items":${text}}` }
  },
})

async function countsOf(ctx: Context, userId: Id): Promise<{ containerId: Id; name: string; count: number }[]> {
  const t = raw('t')
  return await ctx.sql`select t.container_id as "containerId", c.name, count(*)::int as count
    from item t join container c on c.tenant_id = ${ownTenant} and c.id = t.container_id
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${openItemsOf(userId, t)} and ${items.visible(ctx.caller, t)}
    group by t.container_id, c.name order by count(*) desc, c.name, t.container_id`
}
