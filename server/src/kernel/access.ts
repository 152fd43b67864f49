import {
  type AccessRule,
  covers,
  decision,
  decisionSql,
  type Place,
  type PlaceColumns,
  type PlaceKind,
} from './access-rule.ts'
import type { Id } from './id.ts'
import { Forbidden } from './refusal.ts'
import { or, raw, type Sql, sql } from './sql.ts'

/** A role that a user has in the tenant or at one place of it. */
export type Role = 'readOnly' | 'requester' | 'member' | 'manager' | 'admin'

/** The stored code of no role. */
export const noRole = 0

/** The stored code of each role. Other codes grant nothing. */
export const roleCode = { readOnly: 1, requester: 2, member: 3, manager: 5, admin: 6 } as const satisfies Record<
  Role,
  number
>

// The roles that permissions are usually given to. A super admin may do everything in the tenant, so no list names that role.
export const everyone: readonly Role[] = ['requester', 'readOnly', 'member', 'manager', 'admin']
export const staff: readonly Role[] = ['readOnly', 'member', 'manager', 'admin']
export const contributors: readonly Role[] = ['requester', 'member', 'manager', 'admin']
export const members: readonly Role[] = ['member', 'manager', 'admin']
export const managers: readonly Role[] = ['manager', 'admin']
export const admins: readonly Role[] = ['admin']
export const superAdmins: readonly Role[] = []

/** The role of each stored code. */
export const roleCodes: Readonly<Record<number, Role>> = Object.fromEntries(
  everyone.map(role => [roleCode[role], role]),
)

/** A permission, and the roles that have it. */
export interface Permission {
  readonly name: string
  readonly roles: readonly Role[]
  /** It makes or changes credentials, so no credential that is limited to scopes has it: it could widen itself. */
  readonly credential?: boolean
  /** It is asked for by an operation that fewer roles may perform than the name says. */
  readonly narrowed?: boolean
}

const permissions = new Map<string, Permission>()

export function permission(name: string, roles: readonly Role[], more: { credential?: boolean } = {}): Permission {
  const made = { name, roles, ...more }
  permissions.set(name, made)
  return made
}

/** The same permission for fewer roles; a grant of its name suffices, too. */
export function narrowedTo(roles: readonly Role[], wanted: Permission): Permission {
  return { ...wanted, roles, narrowed: true }
}

/** Returns all declared permissions. */
export function knownPermissions(): Permission[] {
  return [...permissions.values()]
}

/** The roles and grants of a user: read again every few seconds, and whenever a grant, a group or a user changes. */
export interface Authority {
  readonly superAdmin: boolean
  /** The roles in the whole tenant. */
  readonly tenant: ReadonlySet<Role>
  /** Some grant applies in the whole tenant, so that the user sees the containers that are not private. */
  readonly insider: boolean
  /** The roles at single places, by the kind of place. */
  readonly places: Readonly<Record<PlaceKind, ReadonlyMap<Id, ReadonlySet<Role>>>>
  /**
   * All grants in the order of precedence, if one of them is more than a role: a single permission, a limit to rows, or a
   * denial. Empty for most users, whose roles alone decide.
   */
  readonly rules: readonly AccessRule[]
  /** The fields that the user must not see: ids of custom fields, and names of properties. */
  readonly hiddenFields: ReadonlySet<string>
  /** The fields that the user must not see or change on some records. */
  readonly fieldLimits: readonly FieldLimit[]
  /** The service acts by itself, and nothing is confidential to it. */
  readonly unrestricted?: boolean
  /** The places that only users with a grant at them may see. */
  readonly privatePlaces: readonly Id[]
  /** The groups of the user, with the groups that contain them. */
  readonly groups: readonly Id[]
}

// biome-ignore lint/suspicious/noEmptyInterface: the layer that knows the records fills it
export interface FieldLimit {}

/** The codes of a tenant's `status`. A suspended tenant is read only; a closing one admits only its super admins. */
export const tenantStatus = { active: 0, suspended: 1, closing: 2 } as const

/** The authenticated user of one tenant who sent the request, by signing in or by a key. */
export interface Caller {
  readonly tenantId: Id
  readonly userId: Id
  readonly name: string
  readonly timezone: string
  /**
   * `import` writes history from another system: its events are logged, and nobody is notified. A `guest` has a link to one record
   * instead of an account.
   */
  readonly kind: 'user' | 'apiKey' | 'operator' | 'rule' | 'mail' | 'import' | 'guest'
  readonly keyId?: Id
  /** The scopes that a key or a token is limited to; empty means all permissions of its owner. */
  readonly scopes: readonly string[]
  readonly authority: Authority
  /** A code of `tenantStatus`; active by default. */
  readonly tenantStatus?: number
  /** The limit of the tenant, if it has one of its own. */
  readonly requestsPerMinute?: number
}

/** Whether the caller has the permission in the tenant or at this place of it. */
export function may(caller: Caller, wanted: Permission, place: Place = {}): boolean {
  const { roles } = wanted
  if (!inScope(caller.scopes, wanted)) return false
  const { authority } = caller
  if (authority.superAdmin) return true
  const rule = decision(authority.rules, wanted, place)
  if (rule) return rule.effect === 'allow'
  const holds = (held: ReadonlySet<Role> | undefined) => held !== undefined && roles.some(role => held.has(role))
  return holds(authority.tenant) || placeKinds(authority).some(kind => holds(heldAt(authority, kind, place)))
}

export function placeKinds({ places }: Authority): PlaceKind[] {
  return Object.keys(places) as PlaceKind[]
}

/** Returns the roles that a user has at this place. */
export function heldAt({ places }: Authority, kind: PlaceKind, place: Place): ReadonlySet<Role> | undefined {
  const id = place[`${kind}Id`]
  return id ? places[kind].get(id) : undefined
}

/** Whether the permission of the caller depends on the row, because a rule is limited to rows. */
export function dependsOnRow({ authority }: Caller, wanted: Permission): boolean {
  return !authority.superAdmin && authority.rules.some(rule => rule.rows !== undefined && covers(rule, wanted))
}

/** The same as `may`, as a condition on rows with the columns of their places. */
export function mayAt(caller: Caller, wanted: Permission, alias: Sql, at: PlaceColumns): Sql {
  const { authority, scopes } = caller
  if (!inScope(scopes, wanted)) return raw('false')
  if (authority.superAdmin) return raw('true')
  const places = (held: ReadonlyMap<Id, ReadonlySet<Role>>) =>
    [...held].filter(([, roles]) => wanted.roles.some(role => roles.has(role))).map(([id]) => id)
  const byRole = wanted.roles.some(role => authority.tenant.has(role))
    ? raw('true')
    : or(placeKinds(authority).map(kind => sql`${at[kind]} = any(${places(authority.places[kind])}::uuid[])`))
  return decisionSql(authority.rules, wanted, { alias, at, then: () => raw('true'), otherwise: byRole })
}

/** Whether the caller has the permission at some place: the first check, before the record is known. */
export function maySomewhere(caller: Caller, wanted: Permission): boolean {
  if (may(caller, wanted)) return true
  if (!inScope(caller.scopes, wanted)) return false
  const { places, rules } = caller.authority
  if (rules.some(rule => rule.effect === 'allow' && covers(rule, wanted))) return true
  if (decision(rules, wanted, {})?.effect === 'deny') return false
  return placeKinds(caller.authority).some(kind =>
    [...places[kind].values()].some(held => wanted.roles.some(role => held.has(role))),
  )
}

export function demand(caller: Caller, wanted: Permission, place?: Place): void {
  if (!may(caller, wanted, place)) throw new Forbidden(missing(caller, wanted))
}

/** Refuses a caller who may not begin an operation: one that is placed needs its permission at some place. */
export function demandOperation(caller: Caller, own: { permission: Permission; placed?: boolean }): void {
  if (!(own.placed ? maySomewhere : may)(caller, own.permission)) throw new Forbidden(missing(caller, own.permission))
}

/** Says what the caller lacks: the permission, one of the roles, or the scope of the credential. */
export function missing({ scopes }: Pick<Caller, 'scopes'>, wanted: Permission): string {
  const { name, roles, credential, narrowed } = wanted
  const needed = `this needs the permission ${name}`
  if (inScope(scopes, wanted))
    return narrowed ? `this needs one of the roles ${roles.join(', ')}, or a grant of ${name}` : needed
  return `${needed}, which ${credential ? 'no credential with scopes has' : 'the scopes of the credential do not contain'}`
}

/** The scopes of a key are `clock:read`, `clock:write`, `clock:admin`, `*:read` and the like. */
export function inScope(scopes: readonly string[], { name, credential }: Permission): boolean {
  if (scopes.length === 0) return true
  if (credential) return false
  const dot = name.lastIndexOf('.')
  const [area, verb] = [name.slice(0, dot), name.slice(dot + 1)]
  return scopes.some(scope => {
    const [scopeArea, level] = scope.split(':')
    if (scopeArea !== '*' && scopeArea?.toLowerCase() !== area.toLowerCase()) return false
    return (
      level === 'admin' || level === '*' || (level === 'write' ? verb !== 'admin' : level === 'read' && verb === 'read')
    )
  })
}
