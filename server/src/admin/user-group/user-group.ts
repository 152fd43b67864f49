import { isDeepStrictEqual } from 'node:util'
import { grantEffects } from '../../identity/grant-effect.ts'
import { seesEverything } from '../../identity/visibility.ts'
import { admins, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { Forbidden, fault, Invalid, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Name, Ref, Refs, Text } from '../../kernel/schema/values.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { owners } from '../../records/references/owner.ts'
import { type Pointer, pointersTo, repoint } from '../../records/references/pointers.ts'
import { roles } from '../../records/role-table.ts'
import { ancestorsOf } from '../../records/tree.ts'
import { accessControls, type GrantTerms, refuseEscalation } from '../access-control/access-control.ts'
import { assignPolicies, assignPolicy, groupKind, groupSource } from './user-group-codes.ts'

export { assignPolicies, assignPolicy, groupSource }

const shape = {
  name: Name(120),
  description: Text(2000),
  members: Refs('User', 10_000),
  owners: Refs('User', 100),
  parentId: Ref('UserGroup'),
  kind: Code(codeTableOfCodes('userGroup.kind', groupKind)),
  assignPolicy: Code(assignPolicies, {
    description:
      'Who gets the next item, unless the request or the action says otherwise: 0 and 1 in turn · 2 fewest open items · 3 fewest minutes left · 4 in turn among those on shift.',
  }),
  externalId: Text(200),
  source: Code(codeTableOfCodes('userGroup.source', groupSource), {
    description: '0 local · 1 Entra · 2 SCIM · 3 LDAP.',
  }),
  clockId: Ref('Clock'),
  mailboxId: Ref('Mailbox'),
}

type UserGroup = Stored<typeof shape>
type GroupValues = Values<typeof shape>

const rolesSchema: Schema = {
  type: 'array',
  description: 'The grants of the group that the caller may see. Read only; `/api/access-control` changes them.',
  items: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The grant.' },
      owner: Code(owners),
      ownerId: { type: 'string' },
      role: Code(roles),
      effect: Code(grantEffects),
      expiresAt: { type: ['string', 'null'], format: 'date-time' },
    },
    required: ['id', 'owner', 'ownerId', 'role', 'effect', 'expiresAt'],
  },
}

/** A named set of users for roles, workflows and visibility. */
export const userGroups = resource('UserGroup', {
  about:
    'A named set of users for roles, workflows and visibility. Members of a group are also members of its parent group.',
  shape,
  // Owners may change their group; the check decides it, because it needs the record.
  may: { create: admins, update: members, delete: admins },
  check: checkGroup,
  derived: { roles: { schema: rolesSchema, value: () => sql`'[]'::json` } },
  ofTenant: async ctx => ({ roles: g => grantsOf(ctx, g) }),
  remembered: true,
})

/** The grants of a group that the caller may see. */
function grantsOf({ caller, now }: Context, g: Sql): Sql {
  const a = raw('a')
  return sql`(select coalesce(json_agg(json_build_object('id', a.id, 'owner', a.owner, 'ownerId', a.owner_id, 'role', a.role, 'effect', a.effect,
      'expiresAt', ${instantText(sql`a.expires_at`)}) order by a.id), '[]')
    from access_control a where a.tenant_id = ${ownTenant} and a.user_group_id = ${g}.id and not a.deleted
      and (a.expires_at is null or a.expires_at > ${now}) and ${accessControls.visible(caller, a)})`
}

/** The sources that manage a group outside this service, and the properties that they manage. */
const directorySources: ReadonlySet<number> = new Set([groupSource.entra, groupSource.scim, groupSource.ldap])
const importedProperties = ['name', 'description', 'members', 'parentId', 'externalId'] as const

/** Properties from a directory are changed in the directory. An admin can take the group over by making it local. */
function refuseDirectoryChange({ caller }: Context, group: GroupValues, before: UserGroup): void {
  if (!directorySources.has(before.source) || caller.kind === 'operator') return
  if (group.source !== before.source && !seesEverything(caller.authority))
    throw new Forbidden('only an admin takes over a group from a directory')
  if (!directorySources.has(group.source)) return
  const changed = importedProperties.filter(property => !isDeepStrictEqual(group[property], before[property]))
  if (changed.length > 0)
    throw new RuleBroken(
      'directory-group',
      managedByDirectory,
      changed.map(property => fault([property], 'directory-group', 'is managed by the directory')),
    )
}

const managedByDirectory = 'the group is managed by a directory; an admin can take it over with source 0'

async function checkGroup(ctx: Context, group: GroupValues, before: UserGroup | undefined): Promise<void> {
  const { caller } = ctx
  if (before && !seesEverything(caller.authority) && !before.owners.includes(caller.userId)) {
    throw new Forbidden('only an admin or an owner of the group changes it')
  }
  if (before) refuseDirectoryChange(ctx, group, before)
  const moves = !before || before.deleted || before.parentId !== group.parentId
  if (!moves && sameMembers(before, group)) return
  const above = moves ? await ancestorsOf(ctx, userGroups, group.parentId, before?.id) : []
  const aboveBefore = before ? [before.id, ...(await ancestorsOf(ctx, userGroups, before.parentId))] : []
  await refuseMembershipEscalation(ctx, [...above, ...aboveBefore])
}

function sameMembers(before: UserGroup, { members: after }: GroupValues): boolean {
  return before.members.length === after.length && after.every(id => before.members.includes(id))
}

/** Membership gives the roles of a group, so a caller changes members only if they could change those grants themselves. */
async function refuseMembershipEscalation(ctx: Context, groupIds: readonly Id[]): Promise<void> {
  const grants =
    await ctx.sql<GrantTerms>`select owner, owner_id as "ownerId", role, coalesce(role_id::text, '') as "roleId", permissions, effect
    from access_control
    where tenant_id = ${ctx.caller.tenantId} and user_group_id = any(${groupIds}::uuid[]) and not deleted and (expires_at is null or expires_at > ${ctx.now})`
  for (const grant of grants) await refuseEscalation(ctx, grant)
}

/** Refuses to remove a group that records refer to; `elsewhere` are references that no kind declares. */
export async function refuseWhileUsed(ctx: Context, id: Id, elsewhere: readonly Pointer[]): Promise<void> {
  const usedBy = [...(await pointersTo(ctx, 'UserGroup', id, { reach: 'anywhere' })), ...elsewhere]
  if (usedBy.length === 0) return
  throw new Refusal(409, 'in-use', 'the group is in use; remove the references, or name another group with replaceBy', {
    extra: { usedBy },
  })
}

/** Replaces a group by another in all records that refer to it. */
export async function replaceGroup(ctx: Context, id: Id, by: Id): Promise<void> {
  if (by === id) throw new Invalid([fault(['replaceBy'], 'same', 'is the group itself', by)])
  await refuseUnknown(ctx, [{ entity: 'UserGroup', id: by, path: ['replaceBy'] }])
  // Subgroups move to the replacement, which therefore cannot be one of them.
  await ancestorsOf(ctx, userGroups, by, id)
  await refuseMembershipEscalation(ctx, [id])
  await repoint(ctx, 'UserGroup', id, by, { reach: 'anywhere' })
}

export function refuseDirectoryGroup({ source }: UserGroup): void {
  if (directorySources.has(source)) throw new RuleBroken('directory-group', managedByDirectory)
}
