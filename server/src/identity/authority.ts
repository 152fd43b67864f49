import { type Authority, type Caller, type Role, roleCode, roleCodes } from '../kernel/access.ts'
import type { AccessRule } from '../kernel/access-rule.ts'
import type { Context } from '../kernel/context.ts'
import type { Database } from '../kernel/database.ts'
import type { Id } from '../kernel/id.ts'
import { ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import type { ConditionGroups } from '../language/conditions/conditions.ts'
import { ownerKind } from '../records/references/owner.ts'
import type {} from './agent.ts'
import { isRequester, isStaffUser } from './audiences.ts'
import { ledCustomers } from './customer-lead.ts'
import { type LimitedField, readFieldLimits } from './field-limit/read-field-limits.ts'
import { grantEffect } from './grant-effect.ts'
import type {} from './row-rules.ts'
import { tenantCaller } from './tenant-caller.ts'
import { openTenantStatuses, tenantStatus } from './tenant-status.ts'
import { userKind } from './user-kind.ts'

/** A user as authentication reads them: their grants, and whether they may sign in at all. */
export interface UserAccess {
  name: string
  timezone: string
  authVersion: number
  /** The status of the tenant. The service acts in the name of a user only in an active tenant. */
  tenantStatus: number
  /** The tenant's own limit of requests; 0 if it has none. */
  requestsPerMinute: number
  authority: Authority
}

interface Row {
  id: Id
  name: string
  timezone: string
  authVersion: number
  tenantStatus: number
  requestsPerMinute: number
  superAdmin: boolean
  /** The customers of which the user is a lead. */
  leads: Id[]
  kind: number
  role: number
  groups: Id[]
  grants: Grant[]
  areas: { id: Id; root: Id }[]
  privateContainers: Id[]
  limitedFields: LimitedField[]
}

/** A stored grant, together with the properties of its role. */
interface Grant {
  id: Id
  principal: AccessRule['principal']
  owner: number
  ownerId: string
  role: number
  ownRole: number | null
  permissions: string[]
  effect: number
  conditionGroup: ConditionGroups
}

/** Reads the current authority of a user in one statement; undefined if the user or the tenant may not sign in. */
export async function readUserAccess(database: Database, tenantId: Id, userId: Id): Promise<UserAccess | undefined> {
  return await database.single(tenantCaller(tenantId, userId), ctx => userAccessOf(ctx, userId))
}

/** Does the same for a user of the caller's tenant, within the current transaction. */
export async function userAccessOf(ctx: Context, userId: Id): Promise<UserAccess | undefined> {
  return (await userAccessOfAll(ctx, [userId])).get(userId)
}

/** Does the same for several users; users who may not sign in are omitted. */
export async function userAccessOfAll(ctx: Context, userIds: readonly Id[]): Promise<Map<Id, UserAccess>> {
  const standings = new Map<Id, UserAccess>()
  for (const row of userIds.length === 0 ? [] : await readRows(ctx, userIds))
    standings.set(row.id, {
      name: row.name,
      timezone: row.timezone,
      authVersion: row.authVersion,
      tenantStatus: row.tenantStatus,
      requestsPerMinute: row.requestsPerMinute,
      authority: await toAuthority(ctx, row),
    })
  return standings
}

const u = raw('u')

async function readRows(ctx: Context, userIds: readonly Id[]): Promise<Row[]> {
  const { tenantId } = ctx.caller
  return await ctx.sql<Row>`
    with recursive mine as (
      select m as user_id, g.id, g.parent_id from user_group g cross join unnest(g.members) m
      where g.tenant_id = ${tenantId} and not g.deleted and g.members && ${userIds}::uuid[] and m = any(${userIds}::uuid[])
      union
      select m.user_id, g.id, g.parent_id from user_group g join mine m on g.id = m.parent_id where g.tenant_id = ${tenantId} and not g.deleted
    ), held as (
      select u.id as user_id, a.id, a.owner, a.owner_id, a.role, a.permissions, a.effect, a.condition_group, a.role_id,
        case when a.user_id is not null then 'user' when a.user_group_id is not null then 'group' else 'audience' end as principal
      from "user" u join access_control a on a.tenant_id = ${ownTenant} and not a.deleted and (a.expires_at is null or a.expires_at > now())
        and (a.user_id = u.id or a.user_group_id in (select m.id from mine m where m.user_id = u.id) or (a.audience <> '' and (
          a.audience = '@everyone' or (a.audience = '@staff' and ${isStaffUser(u)}) or (a.audience = '@requesters' and ${isRequester(u)})
          or (a.audience = '@superAdmins' and u.super_admin))))
      where u.tenant_id = ${tenantId} and u.id = any(${userIds}::uuid[])
    ), below as (
      select h.user_id, a.id, a.id as root from area a join held h on h.owner = ${raw(String(ownerKind.area))} and h.owner_id = a.id::text where a.tenant_id = ${tenantId} and not a.deleted
      union
      select b.user_id, a.id, b.root from area a join below b on a.parent_id = b.id where a.tenant_id = ${tenantId} and not a.deleted
    )
    select u.id, u.name, coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone, u.auth_version as "authVersion",
      t.status as "tenantStatus", coalesce((t.quotas->>'requestsPerMinute')::int, 0) as "requestsPerMinute", u.super_admin as "superAdmin", u.kind, u.role,
      coalesce((select array_agg(m.id) from mine m where m.user_id = u.id), '{}') as groups,
      coalesce((select json_agg(${grantJson(raw('h.principal'))})
        from held h left join access_role r on r.tenant_id = ${tenantId} and r.id = h.role_id and not r.deleted where h.user_id = u.id), '[]') as grants,
      coalesce((select json_agg(json_build_object('id', b.id, 'root', b.root)) from below b where b.user_id = u.id), '[]') as areas,
      ${privateContainers(tenantId)} as "privateContainers", ${limitedFields(tenantId)} as "limitedFields", ${ledCustomers(u, tenantId)} as leads
    from "user" u join tenant t on t.tenant_id = u.tenant_id
    where u.tenant_id = ${tenantId} and u.id = any(${userIds}::uuid[]) and u.active and not u.deleted and (u.locked is null or u.locked <= now())
      and (t.status in (${openTenantStatuses}) or u.super_admin) and not t.deleted`
}

/** A grant `h` with its role `r`. */
function grantJson(principal: Sql): Sql {
  return sql`json_build_object('id', h.id, 'principal', ${principal}, 'owner', h.owner, 'ownerId', h.owner_id, 'role', h.role, 'ownRole', r.role,
    'permissions', h.permissions || coalesce(r.permissions, '{}'), 'effect', h.effect, 'conditionGroup', h.condition_group)`
}

function privateContainers(tenantId: Id): Sql {
  return sql`coalesce((select array_agg(c.id) from container c where c.tenant_id = ${tenantId} and c.private and not c.deleted), '{}')`
}

function limitedFields(tenantId: Id): Sql {
  return sql`coalesce((select json_agg(json_build_object('processId', p.id, 'fieldId', f ->> 'fieldId', 'hiddenFor', f -> 'hiddenFor', 'readOnlyFor', f -> 'readOnlyFor'))
    from process p cross join jsonb_array_elements(p.fields) f
    where p.tenant_id = ${tenantId} and (jsonb_exists(f, 'hiddenFor') or jsonb_exists(f, 'readOnlyFor'))), '[]')`
}

/** Returns the authority of a requester without an account: the role, and what is granted and denied to all requesters. */
export async function accountlessAuthority(ctx: Context): Promise<Authority> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<Pick<Row, 'grants' | 'privateContainers' | 'limitedFields'>>`select
    coalesce((select json_agg(${grantJson(raw("'audience'"))}) from access_control h
      left join access_role r on r.tenant_id = ${tenantId} and r.id = h.role_id and not r.deleted
      where h.tenant_id = ${tenantId} and not h.deleted and (h.expires_at is null or h.expires_at > now())
        and h.audience in ('@everyone', '@requesters') and h.owner = ${raw(String(ownerKind.tenant))}), '[]') as grants,
    ${privateContainers(tenantId)} as "privateContainers", ${limitedFields(tenantId)} as "limitedFields"`
  if (!row) throw new Error('a statement without tables has one row')
  const { requester } = roleCode
  return await toAuthority(ctx, { ...nobody, ...row, kind: userKind.requester, role: requester })
}

const nobody = {
  id: '',
  name: '',
  timezone: 'UTC',
  authVersion: 0,
  tenantStatus: tenantStatus.active,
  requestsPerMinute: 0,
  superAdmin: false,
  leads: [],
  groups: [],
  areas: [],
}

/** Returns all grants of a user, plain roles too, as rules in the order of their evaluation. */
export async function grantsOf(ctx: Context, userId: Id): Promise<AccessRule[]> {
  const [row] = await readRows(ctx, [userId])
  return row ? await rulesOf(ctx, row) : []
}

/**
 * Returns a user in whose name the service acts, with their current authority within the given scopes (none: all of it);
 * undefined if they may no longer sign in. The scopes are those of the credential that made the service act.
 */
export async function callerForUser(
  database: Database,
  tenantId: Id,
  userId: Id,
  scopes: readonly string[],
): Promise<Caller | undefined> {
  return await database.single(tenantCaller(tenantId, userId), ctx => callerInContext(ctx, userId, scopes))
}

/** Does the same within the current transaction. */
export async function callerInContext(
  ctx: Context,
  userId: Id,
  scopes: readonly string[],
): Promise<Caller | undefined> {
  const standing = await userAccessOf(ctx, userId)
  if (standing?.tenantStatus !== tenantStatus.active) return undefined // nothing runs automatically in a tenant that is not active
  return { tenantId: ctx.caller.tenantId, userId, kind: 'rule', scopes, ...standing }
}

async function toAuthority(ctx: Context, row: Row): Promise<Authority> {
  const tenant = new Set<Role>()
  const [containers, areas, items] = [0, 1, 2].map(() => new Map<Id, Set<Role>>()) as [Places, Places, Places]
  const base = roleCodes[row.role]
  if (base) tenant.add(base)
  // Denials and grants with a row condition are evaluated as rules; all other grants add to the roles of the user.
  for (const grant of row.grants.filter(
    ({ effect, conditionGroup }) => effect === grantEffect.allow && conditionGroup.length === 0,
  )) {
    const roles = rolesOf(grant)
    if (grant.owner === ownerKind.tenant) for (const role of roles) tenant.add(role)
    else if (roles.length > 0 || grant.permissions.length > 0) {
      const to = { [ownerKind.container]: containers, [ownerKind.area]: areas, [ownerKind.item]: items }[grant.owner]
      for (const id of placesOf(grant, row)) to?.set(id, new Set([...(to.get(id) ?? []), ...roles]))
    }
  }
  // A user who sees some records of a container also sees the container itself.
  const some = row.grants.filter(
    ({ effect, conditionGroup }) => effect === grantEffect.allow && conditionGroup.length > 0,
  )
  for (const { owner, ownerId } of some)
    if (owner === ownerKind.container && !containers.has(ownerId)) containers.set(ownerId, new Set())
  const rules = row.grants.some(saysMore) ? await rulesOf(ctx, row) : []
  return {
    superAdmin: row.superAdmin,
    tenant,
    insider:
      tenant.size > 0 ||
      row.grants.some(({ owner, effect }) => owner === ownerKind.tenant && effect === grantEffect.allow),
    places: { container: containers, area: areas, item: items },
    privatePlaces: row.privateContainers,
    groups: row.groups,
    ...(row.kind === userKind.agent ? { agent: true } : {}),
    ...(row.leads.length > 0 ? { leads: row.leads } : {}),
    rules,
    ...(row.superAdmin
      ? unlimited
      : await readFieldLimits(ctx, rules, row.limitedFields, { groups: row.groups, tenant })),
  }
}

/** Super admins see and change every field. */
const unlimited: Pick<Authority, 'hiddenFields' | 'fieldLimits'> = { hiddenFields: new Set(), fieldLimits: [] }

type Places = Map<Id, Set<Role>>

const saysMore = ({ permissions, effect, conditionGroup }: Grant) =>
  permissions.length > 0 || effect !== grantEffect.allow || conditionGroup.length > 0

function rolesOf({ role, ownRole }: Grant): Role[] {
  return [roleCodes[role], ownRole === null ? undefined : roleCodes[ownRole]].filter(each => each !== undefined)
}

/** A grant for an area covers everything below it. */
function placesOf({ owner, ownerId }: Grant, { areas }: Row): Id[] {
  return owner === ownerKind.area ? areas.filter(({ root }) => root === ownerId).map(({ id }) => id) : [ownerId]
}

/** A grant at a nearer place takes precedence. */
const nearness: Readonly<Record<AccessRule['scope'], number>> = { tenant: 0, container: 1, area: 2, item: 3 }

const knownEffects: readonly number[] = Object.values(grantEffect)

const scopes: readonly AccessRule['scope'][] = ['tenant', 'container', 'area', 'item']

/** Turns every grant into rules, one for each role it gives; unknown codes give none. */
async function rulesOf(ctx: Context, row: Row): Promise<AccessRule[]> {
  const rules: AccessRule[] = []
  for (const grant of row.grants) {
    const scope = scopes.find(each => ownerKind[each] === grant.owner)
    if (!scope || !knownEffects.includes(grant.effect)) continue
    const rule: AccessRule = {
      id: grant.id,
      effect: grant.effect === grantEffect.deny ? 'deny' : 'allow',
      // A denial without a named permission denies everything.
      names: grant.effect === grantEffect.deny && grant.permissions.length === 0 ? ['*'] : grant.permissions,
      scope,
      nearness: nearness[scope],
      placeIds: scope === 'tenant' ? [] : placesOf(grant, row),
      principal: grant.principal,
      rows:
        grant.conditionGroup.length === 0
          ? undefined
          : await ctx.services.rowRules.compile(ctx, grant.conditionGroup, row),
    }
    if (rule.names.length > 0) rules.push(rule)
    if (rule.effect === 'allow') for (const role of rolesOf(grant)) rules.push({ ...rule, names: [], role })
  }
  return byPrecedence(rules)
}

const principalRank = { audience: 0, group: 1, user: 2 } as const

/** Sorts rules by precedence: the narrower place, then the narrower principal, then denial before permission. */
function byPrecedence(rules: readonly AccessRule[]): AccessRule[] {
  const weight = (rule: AccessRule) =>
    rule.nearness * 6 + principalRank[rule.principal] * 2 + (rule.effect === 'deny' ? 1 : 0)
  return [...rules].sort((a, b) => weight(b) - weight(a))
}
