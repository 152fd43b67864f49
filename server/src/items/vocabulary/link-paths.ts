import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'
import { behaviours } from '../link/link-type.ts'
import { closedCategories } from '../status.ts'

const outward = { here: raw('l.from_id'), there: raw('l.to_id') }
const inward = { here: raw('l.to_id'), there: raw('l.from_id') }

/** The names of the ends of links in conditions. They depend on the behaviour, not on the names of the tenant's types. */
const ends: readonly [name: string, behaviour: number, ways: readonly { here: Sql; there: Sql }[]][] = [
  ['relates', behaviours.relates, [outward, inward]],
  ['blocks', behaviours.blocks, [outward]],
  ['blockedBy', behaviours.blocks, [inward]],
  ['precedes', behaviours.precedes, [outward]],
  ['follows', behaviours.precedes, [inward]],
  ['duplicates', behaviours.duplicates, [outward]],
  ['duplicatedBy', behaviours.duplicates, [inward]],
  ['causes', behaviours.causes, [outward]],
  ['causedBy', behaviours.causes, [inward]],
  ['clones', behaviours.clones, [outward]],
  ['clonedBy', behaviours.clones, [inward]],
]

const counted = { count: raw('true'), openCount: sql`o.status_category not in ${closedCategories}` }

/** `links.blockedBy.openCount`, `links.blocks.count` …: the numbers of linked items of `t`, and of the open ones. */
export const linkPaths: Record<string, Path> = Object.fromEntries(
  ends.flatMap(([name, behaviour, ways]) =>
    Object.entries(counted).map(([count, which]) => {
      const [first, second] = ways.map(({ here, there }) => number(behaviour, here, there, which))
      const value = second ? sql`(${first} + ${second})` : (first ?? raw('0'))
      return [`links.${name}.${count}`.toLowerCase(), { kind: 'number', value } satisfies Path]
    }),
  ),
)

function number(behaviour: number, here: Sql, there: Sql, which: Sql): Sql {
  return sql`(select count(*) from link l join item o on o.tenant_id = ${ownTenant} and o.id = ${there}
    where l.tenant_id = ${ownTenant} and ${here} = t.id and l.behaviour = ${raw(String(behaviour))} and not l.deleted and not o.deleted and ${which})`
}
