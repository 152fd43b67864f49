import { raw, type Sql, sql } from '../../../kernel/sql.ts'
import { comparable, many } from '../operands/operands.ts'
import type { ValueSet, Viewer } from '../vocabulary.ts'

// No vocabulary uses this alias, so it cannot collide with a name in the SQL of `holds`.
const element = raw('condition_element.value')

/** At least one element satisfies the predicate. */
export function some(set: ValueSet, holds: (element: Sql) => Sql): Sql {
  return sql`exists (select from (${set.elements}) as condition_element(value) where ${holds(element)})`
}

/** All of these words are among the elements; true for an empty list of words. */
export function hasAllOf(set: ValueSet, words: string[], viewer: Viewer): Sql {
  return sql`(${many(set.of, words, viewer)} <@ array(
    select ${comparable(set.of, element)} from (${set.elements}) as condition_element(value)))`
}

export function isEmptySet(set: ValueSet): Sql {
  return sql`(not ${some(set, value => sql`${value} is not null`)})`
}
