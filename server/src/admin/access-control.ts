import {
  type Caller,
  managers,
  mayGrant,
  ownerCode,
  type Place,
  type Role,
  roleCodes,
  seesEverything,
} from '../kernel/access.ts'
import type { Context } from '../kernel/database.ts'
import type { Id } from '../kernel/id.ts'
import type { Routes } from '../kernel/operation.ts'
import { type Owned, refuseUnknownOwner } from '../kernel/owner.ts'
import { type Fault, Forbidden, fault, Invalid } from '../kernel/refusal.ts'
import { type Expect, type Finding, resource, type Stored, type Values } from '../kernel/resource.ts'
import { or, raw, type Sql, sql } from '../kernel/sql.ts'
import { check, create, get, history, list, remove, restore, update } from '../kernel/stock.ts'
import { Code, Instant, Ref, Text } from '../kernel/values.ts'

const shape = {
  userId: Ref('User'),
  userGroupId: Ref('UserGroup'),
  owner: Code(),
  ownerId: Text(100),
  role: Code(),
  expiresAt: Instant,
}

export type AccessControl = Stored<typeof shape>
type GrantValues = Values<typeof shape>

/** A role that a person or a group holds, and where. */
export const accessControls = resource('AccessControl', {
  about:
    'A role of a user or a user group: in the tenant (`owner` 0), in one container (1), or in one area and what lies below it (2). Nobody grants what they lack.',
  shape,
  may: { read: managers, create: managers, update: managers, delete: managers },
  place: grantPlace,
  visible: whatIsSeen,
  check: checkGrant,
  example: {
    userId: '01890000-0000-7000-8000-000000000001',
    owner: 1,
    ownerId: '01890000-0000-7000-8000-000000000002',
    role: 3,
  },
  findings: inertParts,
  remembered: true,
})

/** Where a role is held, and so where one must hold it to grant it. */
export function grantPlace({ owner, ownerId }: Owned): Place {
  if (owner === ownerCode.container) return { containerId: ownerId }
  return owner === ownerCode.area ? { areaId: ownerId } : {}
}

/** Managers of the tenant see every grant, managers of a place those of the place. */
function whatIsSeen({ authority }: Caller, a: Sql): Sql {
  if (seesEverything(authority) || authority.tenant.has('manager')) return raw('true')
  const managed = (places: ReadonlyMap<Id, ReadonlySet<Role>>) =>
    [...places].filter(([, held]) => managers.some(role => held.has(role))).map(([id]) => id)
  return or([
    sql`(${a}.owner = ${ownerCode.container} and ${a}.owner_id = any(${managed(authority.containers)}::text[]))`,
    sql`(${a}.owner = ${ownerCode.area} and ${a}.owner_id = any(${managed(authority.areas)}::text[]))`,
  ])
}

async function checkGrant(ctx: Context, grant: GrantValues, before: AccessControl | undefined): Promise<void> {
  const faults: Fault[] = []
  if ((grant.userId === '') === (grant.userGroupId === '')) {
    const message = 'exactly one of userId and userGroupId is needed'
    faults.push(
      fault(['userId'], 'exactly-one', message, grant.userId),
      fault(['userGroupId'], 'exactly-one', message, grant.userGroupId),
    )
  }
  if (grant.expiresAt !== null && grant.expiresAt !== before?.expiresAt && new Date(grant.expiresAt) <= ctx.now) {
    faults.push(fault(['expiresAt'], 'past', 'must lie in the future', grant.expiresAt))
  }
  if (faults.length > 0) throw new Invalid(faults)
  await refuseUnknownOwner(ctx, grant, before)
  for (const each of before ? [before, grant] : [grant]) refuseUnheld(ctx.caller, each)
}

/** Nobody gives, changes or takes away a role above their own. */
function refuseUnheld(caller: Caller, grant: GrantValues): void {
  const role = roleCodes[grant.role]
  if (role && !mayGrant(caller, role, grantPlace(grant)))
    throw new Forbidden('nobody grants or takes away a role above their own')
}

function inertParts({ owner, role }: AccessControl): Finding[] {
  const findings: Finding[] = []
  if (role !== 0 && !roleCodes[role])
    findings.push({ path: '/role', code: 'unknown-code', message: `${role} is no role, and grants nothing` })
  if (!Object.values(ownerCode).some(code => code === owner)) {
    findings.push({
      path: '/owner',
      code: 'inert-owner',
      message: 'a role is held in the tenant (0), a container (1) or an area (2) only',
    })
  }
  return findings
}

async function createGrant(ctx: Context, values: Partial<GrantValues>): Promise<AccessControl> {
  return await accessControls.create(ctx, tidied(values))
}

async function changeGrant(
  ctx: Context,
  id: Id,
  values: Partial<GrantValues>,
  more: { expect?: Expect },
): Promise<AccessControl> {
  return await accessControls.update(ctx, id, tidied(values), more)
}

/** What a caller holds is looked up by these texts, so they are kept in one spelling. */
function tidied(values: Partial<GrantValues>): Partial<GrantValues> {
  return values.ownerId ? { ...values, ownerId: values.ownerId.toLowerCase() } : values
}

export async function removeGrant(ctx: Context, id: Id, more: { expect?: Expect }): Promise<AccessControl> {
  refuseUnheld(ctx.caller, await accessControls.get(ctx, id))
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
