import type { Id } from './id.ts'
import { and, raw, type Sql, sql } from './sql.ts'

/** The kinds of places that a right can be granted at; the layer that knows these records declares them (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: a higher layer fills it
export interface PlaceKinds {}
export type PlaceKind = keyof PlaceKinds

/** The ids of the places that a record belongs to. */
export type Place = { readonly [K in PlaceKind as `${K}Id`]?: Id | null }

/** One grant, in the form in which grants are compared with each other. */
export interface AccessRule {
  readonly id: Id
  readonly effect: 'allow' | 'deny'
  /** `item.update`, `item.*`, `*.read`, `*`: the permissions that it covers beside those of its role. */
  readonly names: readonly string[]
  /** A rule that allows also grants the permissions of this role. */
  readonly role?: string | undefined
  readonly scope: 'tenant' | PlaceKind
  /** The rank of the kind of place: a rule at a narrower place decides first. 0 is the tenant. */
  readonly nearness: number
  /** The places where it applies; unused if the scope is the tenant. */
  readonly placeIds: readonly Id[]
  /** To whom it is granted: a user, a group, or an audience such as all staff. */
  readonly principal: 'user' | 'group' | 'audience'
  /** The rows that it is limited to. */
  readonly rows?: ((alias: Sql) => Sql) | undefined
}

interface Wanted {
  readonly name: string
  readonly roles: readonly string[]
}

/** Whether the rule covers this permission. */
export function covers(rule: AccessRule, wanted: Wanted): boolean {
  if (rule.names.some(pattern => matchesPattern(pattern, wanted.name))) return true
  return rule.effect === 'allow' && rule.role !== undefined && wanted.roles.includes(rule.role)
}

/** `*` stands for one part of a name, and at the end for all that follows. */
export function matchesPattern(pattern: string, permissionName: string): boolean {
  const [wanted, name] = [pattern.toLowerCase().split('.'), permissionName.toLowerCase().split('.')]
  if (wanted.at(-1) === '*' ? wanted.length > name.length : wanted.length !== name.length) return false
  return wanted.every((part, i) => part === '*' || part === name[i])
}

/**
 * Returns the first rule that covers this permission at this place, which decides. Rules that are limited to rows are left out:
 * `decisionSql` evaluates them, where the row is known.
 */
export function decision(rules: readonly AccessRule[], wanted: Wanted, place: Place): AccessRule | undefined {
  return rules.find(rule => rule.rows === undefined && covers(rule, wanted) && appliesAt(rule, place))
}

export function appliesAt({ scope, placeIds }: AccessRule, place: Place): boolean {
  if (scope === 'tenant') return true
  const at = place[`${scope}Id`]
  return !!at && placeIds.includes(at)
}

/** The columns that hold the places of a row. */
export type PlaceColumns = Readonly<Record<PlaceKind, Sql>>

/**
 * The same decision as a condition on rows: `then` is the condition under a rule that allows, `otherwise` the one where no
 * rule covers the permission. `alias` names the rows.
 */
export function decisionSql(
  rules: readonly AccessRule[],
  wanted: Wanted,
  { alias, at, then, otherwise }: { alias: Sql; at: PlaceColumns; then: (rule: AccessRule) => Sql; otherwise: Sql },
): Sql {
  const covering = rules.filter(rule => covers(rule, wanted))
  if (covering.length === 0) return otherwise
  const cases = covering.map(rule => {
    const here = rule.scope === 'tenant' ? [] : [sql`${at[rule.scope]} = any(${rule.placeIds}::uuid[])`]
    const when = and([...here, ...(rule.rows ? [sql`${rule.rows(alias)} is true`] : [])])
    return sql` when ${when} then ${rule.effect === 'deny' ? raw('false') : then(rule)}`
  })
  return sql`(case${cases.reduce((all, each) => sql`${all}${each}`)} else ${otherwise} end)`
}
