import { raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'

const outward = { here: raw('l.from_id'), there: raw('l.to_id') }
const inward = { here: raw('l.to_id'), there: raw('l.from_id') }

/** What the ends of a link are called in conditions: by its behaviour, whatever a tenant calls its types. */
const ends: readonly [name: string, behaviour: number, ways: readonly { here: Sql; there: Sql }[]][] = [
  ['relates', 0, [outward, inward]],
  ['blocks', 1, [outward]],
  ['blockedBy', 1, [inward]],
  ['precedes', 2, [outward]],
  ['follows', 2, [inward]],
  ['duplicates', 3, [outward]],
  ['duplicatedBy', 3, [inward]],
  ['causes', 5, [outward]],
  ['causedBy', 5, [inward]],
  ['clones', 6, [outward]],
  ['clonedBy', 6, [inward]],
]

const counted = { count: raw('true'), openCount: raw('o.status_category not in (4, 5)') }

/** `links.blockedBy.openCount`, `links.blocks.count` …: how many items (of `t`), and how many of them are open. */
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
  return sql`(select count(*) from link l join item o on o.tenant_id = t.tenant_id and o.id = ${there}
    where l.tenant_id = t.tenant_id and ${here} = t.id and l.behaviour = ${raw(String(behaviour))} and not l.deleted and not o.deleted and ${which})`
}
