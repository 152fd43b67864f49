import { type Authority, type Caller, everyone, inScope, permission, type Role, staff } from '../kernel/access.ts'
import {
  type AccessRule,
  covers,
  decision,
  decisionSql,
  matchesPattern,
  type PlaceColumns,
} from '../kernel/access-rule.ts'
import type { Id } from '../kernel/id.ts'
import { and, or, raw, type Sql, sql } from '../kernel/sql.ts'
import { containerKind } from '../records/container-kind.ts'

// Conditions for the containers, and the items in them, that a caller sees. They need no query, because the caller
// carries their authority.

/** The kinds of places at which roles are granted. */
declare module '../kernel/access-rule.ts' {
  interface PlaceKinds {
    container: true
    area: true
    item: true
  }
}

export const seesEverything = (authority: Authority) => authority.superAdmin || authority.tenant.has('admin')
const isStaff = (held: ReadonlySet<Role>) => staff.some(role => held.has(role))

/** Whether the caller has a staff role somewhere. Everybody else is a requester, who sees what concerns their own items. */
export function isStaffSomewhere({ authority }: Caller): boolean {
  const { superAdmin, tenant, places } = authority
  return superAdmin || isStaff(tenant) || Object.values(places).some(roles => [...roles.values()].some(isStaff))
}

const seeing = permission('container.read', everyone)
const reading = permission('item.read', everyone)

/**
 * Restricts the column with a container's id to the containers that the caller sees. Requesters see the service desks with a
 * portal, where they may ask, and what they have a grant on.
 */
export function visibleContainers(caller: Caller, containerId: Sql): Sql {
  return containersFor(caller, containerId, listedContainers(caller, containerId))
}

/** Restricts it to the containers whose items a caller can reach: requesters keep their own tickets that became project work. */
export function reachableContainers(caller: Caller, containerId: Sql): Sql {
  return containersFor(caller, containerId, containersByRole(caller.authority, containerId))
}

function containersFor({ authority }: Caller, containerId: Sql, byRole: Sql): Sql {
  if (authority.superAdmin) return raw('true')
  const none = raw('null::uuid')
  return decisionSql(authority.rules.filter(isUnconditional), seeing, {
    alias: none,
    at: { container: containerId, area: none, item: none },
    then: rule =>
      rule.scope !== 'tenant' ? raw('true') : isNamed(rule) ? containersByRole(authority, containerId) : byRole,
    otherwise: byRole,
  })
}

const isUnconditional = ({ rows }: AccessRule) => rows === undefined
const isNamed = ({ names }: AccessRule) => names.some(pattern => matchesPattern(pattern, seeing.name))

function listedContainers(caller: Caller, containerId: Sql): Sql {
  const { authority, tenantId } = caller
  const open = containersByRole(authority, containerId)
  if (isStaffSomewhere(caller) || !authority.insider) return open
  const granted = sql`${containerId} = any(${[...authority.places.container.keys()]}::uuid[])`
  const hasPortal = sql`exists (select 1 from container desk where desk.tenant_id = ${tenantId} and desk.id = ${containerId}
    and ${withPortal(raw('desk'))} and not desk.archived)`
  return or([granted, and([open, hasPortal])])
}

/** Restricts containers to those at which requesters ask: service desks whose portal is enabled. */
export function withPortal(container: Sql): Sql {
  return sql`(${container}.kind = ${raw(String(containerKind.desk))} and ${container}.portal @> '{"enabled": true}')`
}

/** Decides the same for one container that is already loaded. */
function hasPortal({ kind, portal }: PortalPlace): boolean {
  return kind === containerKind.desk && portal.enabled === true
}

interface PortalPlace {
  kind: number
  portal: { enabled?: boolean }
}

function containersByRole(authority: Authority, containerId: Sql): Sql {
  if (seesEverything(authority)) return raw('true')
  if (!authority.insider) return sql`${containerId} = any(${[...authority.places.container.keys()]}::uuid[])`
  const hidden = hiddenContainers(authority)
  return hidden.length === 0 ? raw('true') : sql`${containerId} <> all(${hidden}::uuid[])`
}

/** Restricts the column with the ids of several containers: a record that names none is open, any other to callers who see one of them. */
export function visibleInContainers(caller: Caller, containerIds: Sql): Sql {
  const visible = visibleContainers(caller, raw('named.id'))
  return or([
    sql`${containerIds} = '{}'`,
    sql`exists (select 1 from unnest(${containerIds}) as named (id) where ${visible})`,
  ])
}

/** Decides the same for one container that is already loaded. */
export function seesContainer(caller: Caller, { id, ...place }: { id: Id } & PortalPlace): boolean {
  const { authority } = caller
  if (authority.superAdmin) return true
  const ruled = decision(authority.rules, seeing, { containerId: id })
  if (ruled && (ruled.effect === 'deny' || ruled.scope !== 'tenant')) return ruled.effect === 'allow'
  if (seesEverything(authority) || authority.places.container.has(id)) return true
  if (!authority.insider || authority.privatePlaces.includes(id)) return false
  return isStaffSomewhere(caller) || hasPortal(place) || (ruled !== undefined && isNamed(ruled))
}

function hiddenContainers({ privatePlaces, places }: Authority): Id[] {
  return privatePlaces.filter(id => !places.container.has(id))
}

/**
 * Restricts items to those that the caller sees: staff see all items of a container, requesters their own. Lists,
 * single records, counts and writes share this condition; it needs no query, because the caller carries their
 * authority.
 */
export function visibleWork(caller: Caller, alias: Sql, at: PlaceColumns & { own: Sql }): Sql {
  const { authority } = caller
  // A request names the permission that it needs; what acts later has only the scopes that it was made with.
  if (caller.kind === 'rule' && !inScope(caller.scopes, reading)) return raw('false')
  if (authority.superAdmin) return raw('true')
  const byRole = workByRole(caller, at)
  return decisionSql(authority.rules, reading, {
    alias,
    at,
    then: ({ scope, names, role }) => {
      const reach = scope === 'tenant' ? containersByRole(authority, at.container) : raw('true')
      const all = names.some(pattern => matchesPattern(pattern, reading.name)) || isStaff(new Set([role as Role]))
      return all ? reach : and([reach, at.own])
    },
    otherwise: byRole,
  })
}

function workByRole(caller: Caller, at: PlaceColumns & { own: Sql }): Sql {
  const { authority } = caller
  const whole = staffedContainers(authority, at.container)
  if (whole === everywhere) return everywhere
  const [areas, items] = [staffed(authority.places.area), staffed(authority.places.item)]
  const near = [
    ...(areas.length > 0 ? [sql`${at.area} = any(${areas}::uuid[])`] : []),
    ...(items.length > 0 ? [sql`${at.item} = any(${items}::uuid[])`] : []),
    sql`(${at.own} and ${reachableContainers(caller, at.container)})`,
  ]
  return or([whole, ...near])
}

const everywhere = raw('true')
const staffed = (places: ReadonlyMap<Id, ReadonlySet<Role>>) =>
  [...places].filter(([, held]) => isStaff(held)).map(([id]) => id)

/** Restricts the column with a container's id to those in which the caller is staff. */
function staffedContainers(authority: Authority, container: Sql): Sql {
  if (seesEverything(authority)) return everywhere
  const containers = staffed(authority.places.container)
  if (!isStaff(authority.tenant)) return sql`${container} = any(${containers}::uuid[])`
  const hidden = authority.privatePlaces.filter(id => !containers.includes(id))
  return hidden.length === 0 ? everywhere : sql`${container} <> all(${hidden}::uuid[])`
}

/**
 * The containers of which the caller sees nothing, where they see all items of the others, unless these are restricted or confidential;
 * undefined where more than the container decides.
 */
export function closedContainers(caller: Caller): Id[] | undefined {
  const { superAdmin, tenant, places, rules, privatePlaces } = caller.authority
  if (caller.kind === 'rule') return undefined
  if (superAdmin || (seesEverything(caller.authority) && rules.length === 0)) return []
  if (!isStaff(tenant) || rules.length > 0 || staffed(places.area).length > 0 || staffed(places.item).length > 0)
    return undefined
  const open = staffed(places.container)
  return open.length === places.container.size ? privatePlaces.filter(id => !open.includes(id)) : undefined
}

/**
 * The condition on the container of an item under which the caller sees it whatever else it is, unless it is restricted or
 * confidential; undefined where grants on the permission to read items decide, because these may depend on more than the container.
 */
export function seesWorkIn(caller: Caller, container: Sql): Sql | undefined {
  const { authority } = caller
  if (caller.kind === 'rule' && !inScope(caller.scopes, reading)) return undefined
  if (authority.superAdmin) return everywhere
  return authority.rules.some(rule => covers(rule, reading)) ? undefined : staffedContainers(authority, container)
}
