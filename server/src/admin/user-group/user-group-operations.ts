import type { Context } from '../../kernel/context.ts'
import { create, get, list, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { answerList } from '../../kernel/list/list-operation.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { byParts } from '../../language/search/name-parts.ts'
import { history } from '../../records/history/history.ts'
import { users } from '../user/user.ts'
import { findPseudoGroup, pseudoGroups } from './pseudo-groups.ts'
import { userGroups } from './user-group.ts'

const pseudo = operation({
  permission: userGroups.permissions.read,
  mode: 'read',
  summary: 'List pseudo-groups',
  description:
    'Built-in groups, whose members are computed when they are read. They can be used where a group is given as a text (steps and fields of processes, audiences of grants), and their members are listed as those of any group.',
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        title: 'PseudoGroup',
        properties: {
          id: { type: 'string' },
          name: { type: 'string' },
          description: { type: 'string' },
          memberCount: { type: 'integer' },
        },
        required: ['id', 'name', 'description', 'memberCount'],
      },
    },
    description: 'The pseudo-groups.',
  },
  async run(ctx) {
    const { tenantId } = ctx.caller
    const body = []
    for (const { members, ...group } of pseudoGroups) {
      const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from "user" t
        where t.tenant_id = ${tenantId} and not t.deleted and ${members}`
      body.push({ ...group, memberCount: row?.count ?? 0 })
    }
    return { body }
  },
})

const listUsers = list(users)

const members: Operation = {
  ...listUsers,
  permission: userGroups.permissions.read,
  summary: 'List the members of a group',
  description:
    'The users in a group, with `nested=true` also those of its subgroups; paged, filtered and sorted as the list of users. The id may be a pseudo-group: `@everyone`, `@staff`, `@requesters` or `@superAdmins`.',
  query: {
    ...listUsers.query,
    nested: { type: 'string', enum: ['true', 'false'], description: 'Whether to include the members of subgroups.' },
  },
  reply: {
    status: 200,
    schema: { type: 'array', items: users.schema },
    description: 'The members, oldest first unless sorted otherwise.',
  },
  refusals: [404],
  async run(ctx, input) {
    const id = input.params.id ?? ''
    const where = findPseudoGroup(id)?.members ?? (await membersOf(ctx, id, input.query.nested === 'true'))
    const filter = await byParts('user').filter(ctx, input.query)
    const more = { where, known: ['nested'], about: id.toLowerCase(), ...(filter ? { filter } : {}) }
    return await answerList(ctx, await readListing(ctx, users, input.query, more), input)
  },
}

async function membersOf(ctx: Context, groupId: Id, nested: boolean): Promise<Sql> {
  const { id } = await userGroups.get(ctx, groupId)
  const ids = nested ? await groupsInside(ctx, id) : [id]
  return sql`${raw('t')}.id in (select m.user_id from user_group_member m where m.tenant_id = ${ctx.caller.tenantId} and m.group_id = any(${ids}::uuid[]))`
}

/** The group and all its subgroups, at any depth. */
async function groupsInside(ctx: Context, id: Id): Promise<Id[]> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ id: Id }>`with recursive inside as (
      select ${id}::uuid as id
      union select g.id from user_group g join inside on g.parent_id = inside.id where g.tenant_id = ${tenantId} and not g.deleted)
    select id from inside`
  return rows.map(row => row.id)
}

export const routes: Routes = {
  'GET /user-group': list(userGroups),
  'POST /user-group': create(userGroups),
  'PUT /user-group': update(userGroups),
  'GET /user-group/pseudo': pseudo,
  'GET /user-group/:id': get(userGroups),
  'PUT /user-group/:id': update(userGroups),
  'PATCH /user-group/:id': update(userGroups),
  'POST /user-group/:id/restore': restore(userGroups),
  'GET /user-group/:id/history': history(userGroups),
  'GET /user-group/:id/members': members,
}
