import { type AccessControl, accessControls, removeGrant } from '../../admin/access-control/access-control.ts'
import { demand, narrowedTo, roleCode, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { Instant, Part, Ref } from '../../kernel/schema/values.ts'
import { ownTenant, raw, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { roles } from '../../records/role-table.ts'
import { containers } from './container.ts'

// The members of a container are the users and groups that hold a role on it: a view of its grants.

/** A person or a group with a role on the container. */
interface Member {
  id: Id
  userId: Id | ''
  userGroupId: Id | ''
  name: string
  role: number
  expiresAt: string | null
}

const memberSchema: Schema = {
  type: 'object',
  title: 'ContainerMember',
  properties: {
    id: { type: 'string', description: 'The id of the grant (AccessControl) that gives the role.' },
    userId: { type: 'string' },
    userGroupId: { type: 'string' },
    name: { type: 'string' },
    role: Code(roles),
    expiresAt: { type: ['string', 'null'] },
  },
  required: ['id', 'userId', 'userGroupId', 'name', 'role', 'expiresAt'],
}

async function membersOf(ctx: Context, containerId: Id, principalId?: Id): Promise<Member[]> {
  return await ctx.sql<Member>`
    select a.id, coalesce(a.user_id::text, '') as "userId", coalesce(a.user_group_id::text, '') as "userGroupId", coalesce(u.name, g.name) as name, a.role,
      to_char(a.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
    from access_control a
      left join "user" u on u.tenant_id = ${ownTenant} and u.id = a.user_id and not u.deleted
      left join user_group g on g.tenant_id = ${ownTenant} and g.id = a.user_group_id and not g.deleted
    where a.tenant_id = ${ctx.caller.tenantId} and a.owner = ${ownerKind.container} and a.owner_id = ${containerId} and not a.deleted and a.effect = 0 and a.condition_group = '[]'
      and coalesce(u.id, g.id) is not null and (a.expires_at is null or a.expires_at > ${ctx.now})
      and ${principalId ? sql`${principalId}::uuid in (a.user_id, a.user_group_id)` : raw('true')}
    order by a.role desc, name, a.id`
}

const list = operation({
  permission: narrowedTo(staff, containers.permissions.read),
  placed: true,
  mode: 'read',
  summary: 'List the members of a container',
  description: 'The users and groups that hold a role on the container itself, the highest role first.',
  reply: { status: 200, schema: { type: 'array', items: memberSchema }, description: 'The members.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id } = await containers.get(ctx, params.id ?? '')
    return { body: await membersOf(ctx, id) }
  },
})

interface MemberInput {
  userId?: Id
  userGroupId?: Id
  role: number
  expiresAt?: string | null
}

const memberInputSchema = Part(
  { userId: Ref('User'), userGroupId: Ref('UserGroup'), role: Code(roles), expiresAt: Instant },
  ['role'],
)

const put = operation<MemberInput>({
  permission: accessControls.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Give a user or a group a role on a container',
  description:
    'A user or a group has one role on a container, so a new role replaces the previous one. Callers can only grant roles that they hold themselves.',
  body: {
    schema: memberInputSchema,
    read: reader<MemberInput>(memberInputSchema),
    example: { userId: '01890000-0000-7000-8000-000000000000', role: roleCode.member },
  },
  reply: { status: 200, schema: memberSchema, description: 'The member.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const container = await containers.get(ctx, params.id ?? '')
    demand(ctx.caller, accessControls.permissions.update, { containerId: container.id })
    const { userId = '', userGroupId = '', role, expiresAt = null } = body
    const grant = { userId, userGroupId, owner: ownerKind.container, ownerId: container.id, role, expiresAt }
    // The lock makes two concurrent grants for the same user one member.
    await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`member ${container.id} ${userId}${userGroupId}`}, 0))`
    const [known] = isId(userId || userGroupId) ? await membersOf(ctx, container.id, userId || userGroupId) : []
    const made: AccessControl = known
      ? await accessControls.update(ctx, known.id, { role, expiresAt })
      : await accessControls.create(ctx, grant)
    const [member] = await membersOf(ctx, container.id, made.userId || made.userGroupId)
    if (!member) throw new NotFound()
    return { body: member }
  },
})

const remove = operation({
  permission: accessControls.permissions.delete,
  placed: true,
  mode: 'write',
  summary: 'Remove a member from a container',
  description: 'The id in the path is that of the user or the group. Roles that they hold elsewhere stay.',
  reply: { status: 204, description: 'The member was removed.' },
  refusals: [404],
  async run(ctx, { params }) {
    const container = await containers.get(ctx, params.id ?? '')
    demand(ctx.caller, accessControls.permissions.delete, { containerId: container.id })
    const principalId = params.userId ?? ''
    const found = isId(principalId) ? await membersOf(ctx, container.id, principalId) : []
    if (found.length === 0) throw new NotFound('member')
    for (const { id } of found) await removeGrant(ctx, id, {})
    return {}
  },
})

export const routes: Routes = {
  'GET /container/:id/member': list,
  'PUT /container/:id/member': put,
  'DELETE /container/:id/member/:userId': remove,
}
