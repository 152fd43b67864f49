import { type Authority, type Caller, everyone, permission, type Role, staff } from '../kernel/access.ts'
import { decision, decisionSql, fits, type PlaceColumns, type Rule } from '../kernel/access-rule.ts'
import type { Id } from '../kernel/id.ts'
import { and, or, raw, type Sql, sql } from '../kernel/sql.ts'

// Which containers, and which work in them, a caller sees: conditions that need no look-up, because the caller's authority
// is at hand.

/** The kinds of places that roles are granted at. */
declare module '../kernel/access-rule.ts' {
  interface PlaceKinds {
    container: true
    area: true
    item: true
  }
}

export const seesEverything = (authority: Authority) => authority.superAdmin || authority.tenant.has('admin')
const isStaff = (held: ReadonlySet<Role>) => staff.some(role => held.has(role))

const seeing = permission('container.read', everyone)
const reading = permission('item.read', everyone)

/** Which containers the caller sees, as a condition on the column that holds the container's id. */
export function visibleContainers(caller: Caller, containerId: Sql): Sql {
  const { authority } = caller
  if (authority.superAdmin) return raw('true')
  const none = raw('null::uuid')
  return decisionSql(authority.rules.filter(isUnconditional), seeing, {
    alias: none,
    at: { container: containerId, area: none, item: none },
    then: ({ scope }) => (scope === 'tenant' ? containersByRole(authority, containerId) : raw('true')),
    otherwise: containersByRole(authority, containerId),
  })
}

const isUnconditional = ({ rows }: Rule) => rows === undefined

function containersByRole(authority: Authority, containerId: Sql): Sql {
  if (seesEverything(authority)) return raw('true')
  if (!authority.insider) return sql`${containerId} = any(${[...authority.places.container.keys()]}::uuid[])`
  const hidden = hiddenContainers(authority)
  return hidden.length === 0 ? raw('true') : sql`${containerId} <> all(${hidden}::uuid[])`
}

/** The same for one container that is already at hand. */
export function seesContainer({ authority }: Caller, containerId: Id): boolean {
  if (authority.superAdmin) return true
  const ruled = decision(authority.rules, seeing, { containerId })
  if (ruled && (ruled.effect === 'deny' || ruled.scope !== 'tenant')) return ruled.effect === 'allow'
  if (seesEverything(authority) || authority.places.container.has(containerId)) return true
  return authority.insider && !authority.privatePlaces.includes(containerId)
}

function hiddenContainers({ privatePlaces, places }: Authority): Id[] {
  return privatePlaces.filter(id => !places.container.has(id))
}

/**
 * Which work the caller sees: all of a container for staff, their own for requesters. One condition for lists, single
 * records, counts and writes alike; it costs no look-up, because the caller's authority is already at hand.
 */
export function visibleWork(caller: Caller, alias: Sql, at: PlaceColumns & { own: Sql }): Sql {
  const { authority } = caller
  if (authority.superAdmin) return raw('true')
  const byRole = workByRole(caller, at)
  return decisionSql(authority.rules, reading, {
    alias,
    at,
    then: ({ scope, names, role }) => {
      const reach = scope === 'tenant' ? containersByRole(authority, at.container) : raw('true')
      const all = names.some(pattern => fits(pattern, reading.name)) || isStaff(new Set([role as Role]))
      return all ? reach : and([reach, at.own])
    },
    otherwise: byRole,
  })
}

function workByRole(caller: Caller, at: PlaceColumns & { own: Sql }): Sql {
  const { authority } = caller
  if (seesEverything(authority)) return raw('true')
  const staffed = (places: ReadonlyMap<Id, ReadonlySet<Role>>) =>
    [...places].filter(([, held]) => isStaff(held)).map(([id]) => id)
  const [containers, areas, items] = [authority.places.container, authority.places.area, authority.places.item].map(
    staffed,
  )
  const near = [
    ...(areas?.length ? [sql`${at.area} = any(${areas}::uuid[])`] : []),
    ...(items?.length ? [sql`${at.item} = any(${items}::uuid[])`] : []),
    sql`(${at.own} and ${visibleContainers(caller, at.container)})`,
  ]
  if (!isStaff(authority.tenant)) return or([sql`${at.container} = any(${containers}::uuid[])`, ...near])
  const hidden = authority.privatePlaces.filter(id => !containers?.includes(id))
  return hidden.length === 0 ? raw('true') : or([sql`${at.container} <> all(${hidden}::uuid[])`, ...near])
}
