import type { Id } from './id.ts'
import { and, raw, type Sql, sql } from './sql.ts'

/**
 * The kinds of places, beside the tenant as a whole, that a role or a permission can be granted at. The layer that knows these
 * kinds of records declares them (`declare module`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: a higher layer fills it
export interface PlaceKinds {}
export type PlaceKind = keyof PlaceKinds

/** Where a record is: the ids of the places that it lies in. */
export type Place = { readonly [K in PlaceKind as `${K}Id`]?: Id | null }

/** A grant as it is weighed against others: what it says about which permissions, where, and of which rows. */
export interface Rule {
  readonly id: Id
  readonly effect: 'allow' | 'deny'
  /** `item.update`, `item.*`, `*.read`, `*`: the permissions it speaks of beside those of its role. */
  readonly names: readonly string[]
  /** An allowing rule also gives what this role may. */
  readonly role?: string | undefined
  readonly scope: 'tenant' | PlaceKind
  /** How near the place is: what is granted nearer decides first. 0 is the tenant. */
  readonly nearness: number
  /** The places that it holds at; of no meaning in the tenant. */
  readonly placeIds: readonly Id[]
  /** How near it is to the person: the user themselves, a group, or everybody of a sort. */
  readonly principal: 'user' | 'group' | 'audience'
  /** Only of those rows. */
  readonly rows?: ((alias: Sql) => Sql) | undefined
}

const closeness = { audience: 0, group: 1, user: 2 } as const

/** Which comes first when they differ: the nearer place, then the nearer principal; at the same level the one that denies. */
export function inOrder(rules: readonly Rule[]): Rule[] {
  const weight = (rule: Rule) => rule.nearness * 6 + closeness[rule.principal] * 2 + (rule.effect === 'deny' ? 1 : 0)
  return [...rules].sort((a, b) => weight(b) - weight(a))
}

interface Wanted {
  readonly name: string
  readonly roles: readonly string[]
}

/** Whether the rule says anything about this permission. */
export function covers(rule: Rule, wanted: Wanted): boolean {
  if (rule.names.some(pattern => fits(pattern, wanted.name))) return true
  return rule.effect === 'allow' && rule.role !== undefined && wanted.roles.includes(rule.role)
}

/** `*` stands for one part of a name, and at the end for all that follows. */
export function fits(pattern: string, permissionName: string): boolean {
  const [wanted, name] = [pattern.toLowerCase().split('.'), permissionName.toLowerCase().split('.')]
  if (wanted.at(-1) === '*' ? wanted.length > name.length : wanted.length !== name.length) return false
  return wanted.every((part, i) => part === '*' || part === name[i])
}

/**
 * What the rules say of this permission at this place: the first that speaks of it decides. One that holds for some rows
 * only is asked where the row is at hand.
 */
export function decision(rules: readonly Rule[], wanted: Wanted, place: Place): Rule | undefined {
  return rules.find(rule => rule.rows === undefined && covers(rule, wanted) && holdsAt(rule, place))
}

export function holdsAt({ scope, placeIds }: Rule, place: Place): boolean {
  if (scope === 'tenant') return true
  const at = place[`${scope}Id`]
  return !!at && placeIds.includes(at)
}

/** The columns that say where a row is. */
export type PlaceColumns = Readonly<Record<PlaceKind, Sql>>

/**
 * The same as one condition for all rows: `then` says what a rule that allows comes to, `otherwise` what holds where no
 * rule speaks. The alias is that of the rows themselves.
 */
export function decisionSql(
  rules: readonly Rule[],
  wanted: Wanted,
  { alias, at, then, otherwise }: { alias: Sql; at: PlaceColumns; then: (rule: Rule) => Sql; otherwise: Sql },
): Sql {
  const said = rules.filter(rule => covers(rule, wanted))
  if (said.length === 0) return otherwise
  const cases = said.map(rule => {
    const here = rule.scope === 'tenant' ? [] : [sql`${at[rule.scope]} = any(${rule.placeIds}::uuid[])`]
    const when = and([...here, ...(rule.rows ? [sql`${rule.rows(alias)} is true`] : [])])
    return sql` when ${when} then ${rule.effect === 'deny' ? raw('false') : then(rule)}`
  })
  return sql`(case${cases.reduce((all, each) => sql`${all}${each}`)} else ${otherwise} end)`
}
