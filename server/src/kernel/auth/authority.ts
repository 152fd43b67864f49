import { type Authority, ownerCode, type Role, roleCodes } from '../access.ts'
import type { Database } from '../database.ts'
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
  const row = await database.single(tenantCaller(tenantId, userId), async ctx => {
    const [found] = await ctx.sql<Row>`
      with recursive mine as (
        select g.id, g.parent_id from user_group g where g.tenant_id = ${tenantId} and not g.deleted and ${userId}::uuid = any(g.members)
        union
        select g.id, g.parent_id from user_group g join mine m on g.id = m.parent_id where g.tenant_id = ${tenantId} and not g.deleted
      ), held as (
        select a.owner, a.owner_id, a.role from access_control a
        where a.tenant_id = ${tenantId} and not a.deleted and (a.expires_at is null or a.expires_at > now())
          and (a.user_id = ${userId} or a.user_group_id in (select id from mine))
      ), below as (
        select a.id, a.id as root from area a join held h on h.owner = 2 and h.owner_id = a.id::text where a.tenant_id = ${tenantId} and not a.deleted
        union
        select a.id, b.root from area a join below b on a.parent_id = b.id where a.tenant_id = ${tenantId} and not a.deleted
      )
      select u.name, coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone, u.auth_version as "authVersion",
        u.super_admin as "superAdmin", u.role,
        coalesce((select array_agg(id) from mine), '{}') as groups,
        coalesce((select json_agg(json_build_object('owner', owner, 'ownerId', owner_id, 'role', role)) from held), '[]') as grants,
        coalesce((select json_agg(below) from below), '[]') as areas,
        coalesce((select array_agg(c.id) from container c where c.tenant_id = ${tenantId} and c.private and not c.deleted), '{}') as "privateContainers"
      from "user" u join tenant t on t.tenant_id = u.tenant_id
      where u.tenant_id = ${tenantId} and u.id = ${userId} and u.active and not u.deleted and (u.locked is null or u.locked <= now())
        and t.status = 0 and not t.deleted`
    return found
  })
  return row && { name: row.name, timezone: row.timezone, authVersion: row.authVersion, authority: toAuthority(row) }
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
