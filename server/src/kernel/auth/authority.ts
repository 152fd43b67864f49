import { type Authority, type Caller, ownerCode, type Role, roleCodes } from '../access.ts'
import type { Context, Database } from '../database.ts'
import type { Id } from '../id.ts'
import { tenantCaller } from './tenant-caller.ts'

/** A user as the door knows them: what they hold, and whether they may come in at all. */
export interface Standing {
  name: string
  timezone: string
  authVersion: number
  authority: Authority
}

interface Row {
  id: Id
  name: string
  timezone: string
  authVersion: number
  superAdmin: boolean
  role: number
  groups: Id[]
  grants: { owner: number; ownerId: string; role: number }[]
  areas: { id: Id; root: Id }[]
  privateContainers: Id[]
}

/** Reads what a user holds right now; undefined if user or tenant may not come in. One statement. */
export async function readStanding(database: Database, tenantId: Id, userId: Id): Promise<Standing | undefined> {
  return await database.single(tenantCaller(tenantId, userId), ctx => standingOf(ctx, userId))
}

/** The same for somebody of the caller's own tenant, within what is going on. */
export async function standingOf(ctx: Context, userId: Id): Promise<Standing | undefined> {
  return (await standingsOf(ctx, [userId])).get(userId)
}

/** The same for several at once; who may not come in is left out. */
export async function standingsOf(ctx: Context, userIds: readonly Id[]): Promise<Map<Id, Standing>> {
  if (userIds.length === 0) return new Map()
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<Row>`
    with recursive mine as (
      select m as user_id, g.id, g.parent_id from user_group g cross join unnest(g.members) m
      where g.tenant_id = ${tenantId} and not g.deleted and g.members && ${userIds}::uuid[] and m = any(${userIds}::uuid[])
      union
      select m.user_id, g.id, g.parent_id from user_group g join mine m on g.id = m.parent_id where g.tenant_id = ${tenantId} and not g.deleted
    ), held as (
      select a.user_id, a.owner, a.owner_id, a.role from access_control a
      where a.tenant_id = ${tenantId} and not a.deleted and (a.expires_at is null or a.expires_at > now()) and a.user_id = any(${userIds}::uuid[])
      union all
      select m.user_id, a.owner, a.owner_id, a.role from access_control a join mine m on m.id = a.user_group_id
      where a.tenant_id = ${tenantId} and not a.deleted and (a.expires_at is null or a.expires_at > now())
    ), below as (
      select h.user_id, a.id, a.id as root from area a join held h on h.owner = 2 and h.owner_id = a.id::text where a.tenant_id = ${tenantId} and not a.deleted
      union
      select b.user_id, a.id, b.root from area a join below b on a.parent_id = b.id where a.tenant_id = ${tenantId} and not a.deleted
    )
    select u.id, u.name, coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone, u.auth_version as "authVersion",
      u.super_admin as "superAdmin", u.role,
      coalesce((select array_agg(m.id) from mine m where m.user_id = u.id), '{}') as groups,
      coalesce((select json_agg(json_build_object('owner', h.owner, 'ownerId', h.owner_id, 'role', h.role)) from held h where h.user_id = u.id), '[]') as grants,
      coalesce((select json_agg(json_build_object('id', b.id, 'root', b.root)) from below b where b.user_id = u.id), '[]') as areas,
      coalesce((select array_agg(c.id) from container c where c.tenant_id = ${tenantId} and c.private and not c.deleted), '{}') as "privateContainers"
    from "user" u join tenant t on t.tenant_id = u.tenant_id
    where u.tenant_id = ${tenantId} and u.id = any(${userIds}::uuid[]) and u.active and not u.deleted and (u.locked is null or u.locked <= now())
      and t.status = 0 and not t.deleted`
  return new Map(
    rows.map(row => [
      row.id,
      { name: row.name, timezone: row.timezone, authVersion: row.authVersion, authority: toAuthority(row) },
    ]),
  )
}

/** Somebody in whose name the service acts by itself, with what they hold right now; undefined if they may no longer come in. */
export async function callerFor(
  database: Database,
  tenantId: Id,
  userId: Id,
  kind: 'rule',
): Promise<Caller | undefined> {
  const standing = await readStanding(database, tenantId, userId)
  return standing && { tenantId, userId, kind, scopes: [], ...standing }
}

function toAuthority(row: Row): Authority {
  const tenant = new Set<Role>()
  const containers = new Map<Id, Set<Role>>()
  const areas = new Map<Id, Set<Role>>()
  const add = (to: Map<Id, Set<Role>>, id: Id, role: Role) => to.set(id, (to.get(id) ?? new Set()).add(role))
  const base = roleCodes[row.role]
  if (base) tenant.add(base)
  for (const { owner, ownerId, role: code } of row.grants) {
    const role = roleCodes[code]
    if (!role) continue
    if (owner === ownerCode.tenant) tenant.add(role)
    else if (owner === ownerCode.container) add(containers, ownerId, role)
    else if (owner === ownerCode.area) for (const { id, root } of row.areas) if (root === ownerId) add(areas, id, role)
  }
  return {
    superAdmin: row.superAdmin,
    tenant,
    containers,
    areas,
    privateContainers: row.privateContainers,
    groups: row.groups,
  }
}
