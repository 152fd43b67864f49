import { admins, mayGrant, members, roleCodes, seesEverything } from '../kernel/access.ts'
import type { Context } from '../kernel/database.ts'
import type { Id } from '../kernel/id.ts'
import type { Input, Operation, Routes } from '../kernel/operation.ts'
import { pointersTo, repoint } from '../kernel/pointers.ts'
import { refuseUnknown } from '../kernel/references.ts'
import { Forbidden, fault, Invalid, Refusal } from '../kernel/refusal.ts'
import { type Expect, resource, type Stored, type Values } from '../kernel/resource.ts'
import { create, get, history, list, remove, restore, update } from '../kernel/stock.ts'
import { wayUp } from '../kernel/tree.ts'
import { Code, Name, Ref, Refs, Text } from '../kernel/values.ts'
import { grantPlace } from './access-control.ts'

const shape = {
  name: Name(120),
  description: Text(2000),
  members: Refs('User', 10_000),
  owners: Refs('User', 100),
  parentId: Ref('UserGroup'),
  kind: Code(),
  assignPolicy: Code(),
  externalId: Text(200),
  source: Code(),
}

export type UserGroup = Stored<typeof shape>
type GroupValues = Values<typeof shape>

/** People under one name: for roles, for workflows, for who may read. */
export const userGroups = resource('UserGroup', {
  about:
    'People under one name, for roles, workflows and who may read. Whoever is in a group is also in the one it lies in.',
  shape,
  // Whether somebody owns the group is known only with the record at hand.
  may: { create: admins, update: members, delete: admins },
  check: checkGroup,
  remembered: true,
})

async function checkGroup(ctx: Context, group: GroupValues, before: UserGroup | undefined): Promise<void> {
  const { caller } = ctx
  if (before && !seesEverything(caller.authority) && !before.owners.includes(caller.userId)) {
    throw new Forbidden('only an admin or an owner of the group changes it')
  }
  const moves = !before || before.deleted || before.parentId !== group.parentId
  if (!moves && sameMembers(before, group)) return
  const above = moves ? await wayUp(ctx, userGroups, group.parentId, before?.id) : []
  const aboveBefore = before ? [before.id, ...(await wayUp(ctx, userGroups, before.parentId))] : []
  await refuseUnheldRoles(ctx, [...above, ...aboveBefore])
}

function sameMembers(before: UserGroup, { members: after }: GroupValues): boolean {
  return before.members.length === after.length && after.every(id => before.members.includes(id))
}

/** Whoever comes into a group gets its roles, and whoever leaves it loses them: nobody gives or takes what they lack. */
async function refuseUnheldRoles(ctx: Context, groupIds: readonly Id[]): Promise<void> {
  const grants = await ctx.sql<{
    owner: number
    ownerId: string
    role: number
  }>`select owner, owner_id as "ownerId", role from access_control
    where tenant_id = ${ctx.caller.tenantId} and user_group_id = any(${groupIds}::uuid[]) and not deleted and (expires_at is null or expires_at > ${ctx.now})`
  for (const grant of grants) {
    const role = roleCodes[grant.role]
    if (role && !mayGrant(ctx.caller, role, grantPlace(grant)))
      throw new Forbidden('the group has a role above your own, which nobody gives or takes who lacks it')
  }
}

/** A group goes when nothing needs it any more, or when another takes its place everywhere. */
async function removeGroup(ctx: Context, id: Id, more: { expect?: Expect }, { query }: Input): Promise<UserGroup> {
  const group = await userGroups.get(ctx, id, { lock: true })
  if (query.replaceBy === undefined) await refuseWhileUsed(ctx, group.id)
  else await replaceGroup(ctx, group.id, String(query.replaceBy).toLowerCase())
  return await userGroups.remove(ctx, id, more)
}

async function refuseWhileUsed(ctx: Context, id: Id): Promise<void> {
  const usedBy = await pointersTo(ctx, 'UserGroup', id)
  if (usedBy.length === 0) return
  throw new Refusal(409, 'in-use', 'the group is in use; take it out there, or name another with replaceBy', {
    extra: { usedBy },
  })
}

async function replaceGroup(ctx: Context, id: Id, by: Id): Promise<void> {
  if (by === id) throw new Invalid([fault(['replaceBy'], 'same', 'is the group itself', by)])
  await refuseUnknown(ctx, [{ entity: 'UserGroup', id: by, path: ['replaceBy'] }])
  // Groups inside this one come to lie in the other, which therefore cannot be one of them.
  await wayUp(ctx, userGroups, by, id)
  await refuseUnheldRoles(ctx, [id])
  await repoint(ctx, 'UserGroup', id, by)
}

const stockRemoval = remove(userGroups, removeGroup)

const removal: Operation = {
  ...stockRemoval,
  description: `${userGroups.about} A group in use answers 409 and lists who uses it in \`usedBy\`.`,
  query: {
    replaceBy: {
      type: 'string',
      description: 'The id of a group that takes the place of this one wherever it is used.',
    },
  },
  refusals: [...(stockRemoval.refusals ?? []), 409],
}

export const routes: Routes = {
  'GET /user-group': list(userGroups),
  'POST /user-group': create(userGroups),
  'PUT /user-group': update(userGroups),
  'GET /user-group/:id': get(userGroups),
  'PUT /user-group/:id': update(userGroups),
  'PATCH /user-group/:id': update(userGroups),
  'DELETE /user-group/:id': removal,
  'POST /user-group/:id/restore': restore(userGroups),
  'GET /user-group/:id/history': history(userGroups),
}
