import { mayGrant } from '../../identity/may-grant.ts'
import { admins, noRole, roleCode, roleCodes } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { Forbidden, Refusal } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Name, Text } from '../../kernel/schema/values.ts'
import { Code } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { pointersTo } from '../../records/references/pointers.ts'
import { roles } from '../../records/role-table.ts'
import { PermissionNames, permissionFindings, refusePermissionEscalation } from './permission-names.ts'

const shape = {
  name: Name(120),
  description: Text(2000),
  role: Code(roles),
  permissions: PermissionNames,
}

type AccessRole = Stored<typeof shape>
type RoleValues = Values<typeof shape>

/** A custom role of a tenant. */
export const accessRoles = resource('AccessRole', {
  about:
    'A custom role: named permissions in addition to those of the built-in role `role`. Grants refer to it by `roleId`; a change applies to all who have it.',
  shape,
  may: { read: admins, create: admins, update: admins, delete: admins },
  check: async (ctx, role, before) => {
    for (const each of before ? [before, role] : [role]) await refuseRoleEscalation(ctx, each)
  },
  findings: ({ role, permissions }) => [...roleFindings(role), ...permissionFindings(permissions)],
  example: { name: 'Dispatcher', role: roleCode.member, permissions: ['ticket.*', 'item.delete'] },
  remembered: true,
})

/** A change affects all users with the role, so the caller must have all rights of the role. */
async function refuseRoleEscalation(ctx: Context, { role, permissions }: RoleValues): Promise<void> {
  const builtIn = roleCodes[role]
  if (builtIn && !mayGrant(ctx.caller, builtIn)) throw new Forbidden('the role is above the role of the caller')
  await refusePermissionEscalation(ctx, permissions, {})
}

export function roleFindings(role: number): Finding[] {
  if (role === noRole || roleCodes[role]) return []
  return [{ path: '/role', code: 'unknown-code', message: `${role} is not a known role and grants nothing` }]
}

async function removeRole(ctx: Context, id: Id, more: { expect?: Expect }): Promise<AccessRole> {
  const role = await accessRoles.get(ctx, id, { lock: true })
  await refuseRoleEscalation(ctx, role)
  const usedBy = await pointersTo(ctx, 'AccessRole', role.id)
  if (usedBy.length > 0)
    throw new Refusal(409, 'in-use', 'the role is in use; remove the grants that name it first', { extra: { usedBy } })
  return await accessRoles.remove(ctx, id, more)
}

const removal: Operation = {
  ...remove(accessRoles, removeRole),
  description: `${accessRoles.about} A role in use answers 409 and lists the grants in \`usedBy\`.`,
  refusals: [404, 409, 412],
}

export const routes: Routes = {
  'GET /access-control/role': list(accessRoles),
  'POST /access-control/role': create(accessRoles),
  'PUT /access-control/role': update(accessRoles),
  'GET /access-control/role/:id': get(accessRoles),
  'PUT /access-control/role/:id': update(accessRoles),
  'PATCH /access-control/role/:id': update(accessRoles),
  'DELETE /access-control/role/:id': removal,
  'POST /access-control/role/:id/restore': restore(accessRoles),
  'GET /access-control/role/:id/history': history(accessRoles),
  'GET /access-control/role/:id/check': check(accessRoles),
}
