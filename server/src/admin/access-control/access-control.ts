import { seesEverything } from '../../identity/visibility.ts'
import { type Caller, managers, mayGrant, type Role, roleCodes } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { withSystemAuthority } from '../../kernel/context.ts'
import { check, create, get, history, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { type Fault, Forbidden, fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Code, Instant, Ref, Text } from '../../kernel/schema/values.ts'
import { or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { type Owned, ownerKind, refuseUnknownOwner } from '../../records/owner.ts'
import { accessRoles, roleFindings } from './access-role.ts'
import { PermissionNames, permissionFindings, refusePermissionEscalation } from './permission-names.ts'

/** Everybody of a sort, without a group that somebody must keep. */
const audiences = ['@everyone', '@staff', '@requesters', '@superAdmins']

const shape = {
  userId: Ref('User'),
  userGroupId: Ref('UserGroup'),
  audience: Text(40, { enum: ['', ...audiences] }),
  owner: Code(),
  ownerId: Text(100),
  role: Code(),
  roleId: Ref('AccessRole'),
  permissions: PermissionNames,
  effect: Code(),
  conditionGroup: ConditionGroups,
  expiresAt: Instant,
  reason: Text(1000),
}

export type AccessControl = Stored<typeof shape>
type GrantValues = Values<typeof shape>

const grantEffect = { allow: 0, deny: 1 } as const

/** What a person, a group or everybody of a sort may or must not do, and where. */
export const accessControls = resource('AccessControl', {
  about:
    'What a user, a user group or everybody of a sort (`audience`) may do: a role, a role of the tenant’s own (`roleId`) or single `permissions`, in the tenant (`owner` 0), in one container (1), in one area and what lies below it (2) or on one item (3), for the items of `conditionGroup` only, or denied (`effect` 1). The nearest place decides, then the nearest principal; at the same level a denial wins. Nobody grants what they lack.',
  shape,
  may: { read: managers, create: managers, update: managers, delete: managers },
  place: grantPlace,
  visible: visibleGrants,
  check: checkGrant,
  example: {
    userId: '01890000-0000-7000-8000-000000000001',
    owner: 1,
    ownerId: '01890000-0000-7000-8000-000000000002',
    role: 3,
  },
  findings: grantFindings,
  remembered: true,
})

/** Where a role is held, and so where one must hold it to grant it. */
export function grantPlace({ owner, ownerId }: Owned): Place {
  if (owner === ownerKind.container) return { containerId: ownerId }
  if (owner === ownerKind.area) return { areaId: ownerId }
  return owner === ownerKind.item ? { itemId: ownerId } : {}
}

/** Managers of the tenant see every grant, managers of a place those of the place. */
function visibleGrants({ authority }: Caller, a: Sql): Sql {
  if (seesEverything(authority) || authority.tenant.has('manager')) return raw('true')
  const managed = (places: ReadonlyMap<Id, ReadonlySet<Role>>) =>
    [...places].filter(([, held]) => managers.some(role => held.has(role))).map(([id]) => id)
  return or([
    sql`(${a}.owner = ${ownerKind.container} and ${a}.owner_id = any(${managed(authority.places.container)}::text[]))`,
    sql`(${a}.owner = ${ownerKind.area} and ${a}.owner_id = any(${managed(authority.places.area)}::text[]))`,
  ])
}

async function checkGrant(ctx: Context, grant: GrantValues, before: AccessControl | undefined): Promise<void> {
  const faults: Fault[] = []
  const principals = (['userId', 'userGroupId', 'audience'] as const).filter(each => grant[each] !== '')
  if (principals.length !== 1) {
    const message = 'exactly one of userId, userGroupId and audience is needed'
    for (const each of ['userId', 'userGroupId'] as const)
      faults.push(fault([each], 'exactly-one', message, grant[each]))
  }
  if (grant.expiresAt !== null && grant.expiresAt !== before?.expiresAt && new Date(grant.expiresAt) <= ctx.now) {
    faults.push(fault(['expiresAt'], 'past', 'must lie in the future', grant.expiresAt))
  }
  if (faults.length > 0) throw new Invalid(faults)
  await refuseUnknownOwner(ctx, grant, before)
  for (const each of before ? [before, grant] : [grant]) await refuseEscalation(ctx, each)
}

/** What a grant gives or denies, and where. */
export type GrantTerms = Pick<GrantValues, 'role' | 'roleId' | 'permissions' | 'effect' | 'owner' | 'ownerId'>

/** Nobody gives, changes or takes away what they lack: a role above their own, a permission that is not theirs. */
export async function refuseEscalation(ctx: Context, grant: GrantTerms): Promise<void> {
  const place = grantPlace(grant)
  for (const { role, permissions } of await grantedRoles(ctx, grant)) {
    const builtIn = roleCodes[role]
    if (builtIn && !mayGrant(ctx.caller, builtIn, place))
      throw new Forbidden('nobody grants or takes away a role above their own')
    refusePermissionEscalation(ctx.caller, permissions, place)
  }
  // A denial without names denies everything, and so is for those who may everything there.
  if (grant.effect === grantEffect.deny && grant.permissions.length === 0 && !mayGrant(ctx.caller, 'manager', place))
    throw new Forbidden('only a manager denies everything at a place')
}

/** The grant itself, and the role of the tenant's own that it names. */
async function grantedRoles(
  ctx: Context,
  {
    role,
    roleId,
    permissions,
    effect,
  }: Pick<GrantValues, 'role' | 'roleId' | 'permissions' | 'effect' | 'owner' | 'ownerId'>,
): Promise<{ role: number; permissions: readonly string[] }[]> {
  const own = roleId === '' ? undefined : await accessRoles.find(withSystemAuthority(ctx), roleId)
  return [{ role: effect === grantEffect.allow ? role : 0, permissions }, ...(own ? [own] : [])]
}

async function grantFindings(grant: AccessControl, ctx: Context): Promise<Finding[]> {
  const { owner, role, effect, conditionGroup, permissions } = grant
  const findings: Finding[] = [...roleFindings(role), ...permissionFindings(permissions)]
  if (!Object.values(ownerKind).some(code => code === owner)) {
    findings.push({
      path: '/owner',
      code: 'inert-owner',
      message: 'a role is held in the tenant (0), a container (1), an area (2) or on an item (3) only',
    })
  }
  if (!Object.values(grantEffect).some(code => code === effect))
    findings.push({ path: '/effect', code: 'unknown-code', message: `${effect} is no effect: 0 allows, 1 denies` })
  for (const { path, ...rest } of await ctx.services.rowRules.check(ctx, conditionGroup))
    findings.push({ path: `/conditionGroup${path}`, ...rest })
  for (const [i, name] of permissions.entries()) {
    const path = `/permissions/${i}`
    if (conditionGroup.length > 0 && !/^(item|\*)\.(read|update|delete|\*)$|^\*$/i.test(name))
      findings.push({
        path,
        code: 'inert-condition',
        message: 'conditions hold for reading, changing and deleting items only',
      })
    if (owner !== ownerKind.tenant && /^field\..+\.read$/i.test(name))
      findings.push({
        path,
        code: 'inert-scope',
        message: 'a field is hidden in the whole tenant (owner 0) or not at all',
      })
  }
  return findings
}

async function createGrant(ctx: Context, values: Partial<GrantValues>): Promise<AccessControl> {
  return await accessControls.create(ctx, normalized(values))
}

async function changeGrant(
  ctx: Context,
  id: Id,
  values: Partial<GrantValues>,
  more: { expect?: Expect },
): Promise<AccessControl> {
  return await accessControls.update(ctx, id, normalized(values), more)
}

/** What a caller holds is looked up by these texts, so they are kept in one spelling. */
function normalized(values: Partial<GrantValues>): Partial<GrantValues> {
  return values.ownerId ? { ...values, ownerId: values.ownerId.toLowerCase() } : values
}

export async function removeGrant(ctx: Context, id: Id, more: { expect?: Expect }): Promise<AccessControl> {
  await refuseEscalation(ctx, await accessControls.get(ctx, id))
  return await accessControls.remove(ctx, id, more)
}

export const routes: Routes = {
  'GET /access-control': list(accessControls),
  'POST /access-control': create(accessControls, createGrant),
  'PUT /access-control': update(accessControls, changeGrant),
  'GET /access-control/:id': get(accessControls),
  'PUT /access-control/:id': update(accessControls, changeGrant),
  'PATCH /access-control/:id': update(accessControls, changeGrant),
  'DELETE /access-control/:id': remove(accessControls, removeGrant),
  'POST /access-control/:id/restore': restore(accessControls),
  'GET /access-control/:id/history': history(accessControls),
  'GET /access-control/:id/check': check(accessControls),
}
