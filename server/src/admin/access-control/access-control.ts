import { grantEffect, grantEffects } from '../../identity/grant-effect.ts'
import { mayGrant } from '../../identity/may-grant.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { seesEverything } from '../../identity/visibility.ts'
import { type Caller, managers, noRole, type Role, roleCode, roleCodes } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { type Fault, Forbidden, fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Instant, Ref, Text } from '../../kernel/schema/values.ts'
import { join, name, or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { Code } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { isThere } from '../../records/references/is-there.ts'
import { type Owned, ownerKind, ownerKinds, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { roles } from '../../records/role-table.ts'
import { accessRoles, roleFindings } from './access-role.ts'
import { PermissionNames, permissionFindings, refusePermissionEscalation } from './permission-names.ts'

/** The pseudo-groups that a grant can name instead of a user or a group. */
const audiences = ['@everyone', '@staff', '@requesters', '@superAdmins']

const shape = {
  userId: Ref('User'),
  userGroupId: Ref('UserGroup'),
  audience: Text(40, { enum: ['', ...audiences] }),
  owner: Code(owners),
  ownerId: Text(100),
  role: Code(roles),
  roleId: Ref('AccessRole'),
  permissions: PermissionNames,
  effect: Code(grantEffects),
  conditionGroup: ConditionGroups,
  expiresAt: Instant,
  reason: Text(1000),
}

export type AccessControl = Stored<typeof shape>
type GrantValues = Values<typeof shape>

/** A grant or a denial of rights for a user, a group or a pseudo-group at a place. */
export const accessControls = resource('AccessControl', {
  about:
    'What a user, a user group or a pseudo-group (`audience`) may do: a built-in role, a custom role (`roleId`) or single `permissions`, in the tenant (`owner` 0), in one container (1), in one area and its subareas (2) or on one item (3), optionally limited to items that match `conditionGroup`, or denied (`effect` 1). The nearest place decides, then the nearest principal; at the same level a denial wins. Callers cannot grant rights that they lack.',
  shape,
  may: { read: managers, create: managers, update: managers, delete: managers },
  place: grantPlace,
  visible: visibleGrants,
  check: checkGrant,
  example: {
    userId: '01890000-0000-7000-8000-000000000001',
    owner: ownerKind.container,
    ownerId: '01890000-0000-7000-8000-000000000002',
    role: roleCode.member,
  },
  findings: grantFindings,
  remembered: true,
})

/** The place of a grant; the caller must have the granted rights at this place. */
function grantPlace({ owner, ownerId }: Owned): Place {
  if (owner === ownerKind.container) return { containerId: ownerId }
  if (owner === ownerKind.area) return { areaId: ownerId }
  return owner === ownerKind.item ? { itemId: ownerId } : {}
}

/** Admins see all grants, managers of the tenant those at the places that they see, managers of a place those of that place. */
function visibleGrants(caller: Caller, a: Sql): Sql {
  const { authority } = caller
  if (seesEverything(authority)) return raw('true')
  if (authority.tenant.has('manager')) return placeVisible(caller, a)
  const managed = (places: ReadonlyMap<Id, ReadonlySet<Role>>) =>
    [...places].filter(([, held]) => managers.some(role => held.has(role))).map(([id]) => id)
  return or([
    sql`(${a}.owner = ${ownerKind.container} and ${a}.owner_id = any(${managed(authority.places.container)}::text[]))`,
    sql`(${a}.owner = ${ownerKind.area} and ${a}.owner_id = any(${managed(authority.places.area)}::text[]))`,
  ])
}

/** A grant tells of its place, so it is visible with it; a deleted place is still one. */
function placeVisible(caller: Caller, a: Sql): Sql {
  const p = raw('p')
  const cases = (['Container', 'Area', 'Item'] as const).map(entity => {
    const { table, visible } = kind(entity)
    const code = raw(String(ownerKinds.indexOf(entity)))
    const id = sql`(case when ${a}.owner = ${code} then ${a}.owner_id::uuid end)`
    return sql`when ${code} then ${isThere(sql`from ${name(table)} p where p.tenant_id = ${ownTenant} and p.id = ${id} and ${visible(caller, p)}`)}`
  })
  return sql`(case ${a}.owner ${join(cases, ' ')} else true end)`
}

async function checkGrant(ctx: Context, grant: GrantValues, before: AccessControl | undefined): Promise<void> {
  const faults: Fault[] = []
  const principals = (['userId', 'userGroupId', 'audience'] as const).filter(each => grant[each] !== '')
  if (principals.length !== 1) {
    const message = 'exactly one of userId, userGroupId and audience is required'
    for (const each of ['userId', 'userGroupId'] as const)
      faults.push(fault([each], 'exactly-one', message, grant[each]))
  }
  if (grant.expiresAt !== null && grant.expiresAt !== before?.expiresAt && new Date(grant.expiresAt) <= ctx.now) {
    faults.push(fault(['expiresAt'], 'past', 'must be in the future', grant.expiresAt))
  }
  if (faults.length > 0) throw new Invalid(faults)
  await refuseUnknownOwner(ctx, grant, before)
  for (const each of before ? [before, grant] : [grant]) await refuseEscalation(ctx, each)
}

/** The rights that a grant gives or denies, and the place. */
export type GrantTerms = Pick<GrantValues, 'role' | 'roleId' | 'permissions' | 'effect' | 'owner' | 'ownerId'>

/** Refuses to give, change or remove rights that the caller lacks at the place. */
export async function refuseEscalation(ctx: Context, grant: GrantTerms): Promise<void> {
  const place = grantPlace(grant)
  for (const { role, permissions } of await grantedRoles(ctx, grant)) {
    const builtIn = roleCodes[role]
    if (builtIn && !mayGrant(ctx.caller, builtIn, place))
      throw new Forbidden('the role is above the role of the caller')
    await refusePermissionEscalation(ctx, permissions, place)
  }
  // A denial without permissions denies everything, so it needs full rights at the place.
  if (grant.effect === grantEffect.deny && grant.permissions.length === 0 && !mayGrant(ctx.caller, 'manager', place))
    throw new Forbidden('only a manager can deny everything at a place')
}

/** The rights of the grant itself, and those of the custom role that it names. */
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
  return [{ role: effect === grantEffect.allow ? role : noRole, permissions }, ...(own ? [own] : [])]
}

async function grantFindings(grant: AccessControl, ctx: Context): Promise<Finding[]> {
  const { owner, role, effect, conditionGroup, permissions } = grant
  const findings: Finding[] = [...roleFindings(role), ...permissionFindings(permissions)]
  if (!Object.values(ownerKind).some(code => code === owner)) {
    findings.push({
      path: '/owner',
      code: 'inert-owner',
      message: 'a grant has an effect only in the tenant (0), a container (1), an area (2) or on an item (3)',
    })
  }
  if (!Object.values(grantEffect).some(code => code === effect))
    findings.push({
      path: '/effect',
      code: 'unknown-code',
      message: `${effect} is not a known effect: ${grantEffect.allow} allows, ${grantEffect.deny} denies`,
    })
  for (const { path, ...rest } of await ctx.services.rowRules.check(ctx, conditionGroup))
    findings.push({ path: `/conditionGroup${path}`, ...rest })
  for (const [i, name] of permissions.entries()) {
    const path = `/permissions/${i}`
    if (conditionGroup.length > 0 && !/^(item|\*)\.(read|update|delete|\*)$|^\*$/i.test(name))
      findings.push({
        path,
        code: 'inert-condition',
        message: 'conditions apply only to reading, updating and deleting items',
      })
    if (owner !== ownerKind.tenant && /^field\..+\.read$/i.test(name))
      findings.push({
        path,
        code: 'inert-scope',
        message: 'a field can be hidden only in the whole tenant (owner 0)',
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

/** Grants are looked up by the text of `ownerId`, so it is stored in lower case. */
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
