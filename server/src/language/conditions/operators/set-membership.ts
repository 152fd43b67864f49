import { raw, type Sql, sql } from '../../../kernel/sql.ts'
import { comparable, many } from '../operands/operands.ts'
import type { ValueSet, Viewer } from '../vocabulary.ts'

// A name that no vocabulary uses, since what `holds` says stands beside it.
const element = raw('condition_element.value')

/** One of the elements is such. */
export function some(set: ValueSet, holds: (element: Sql) => Sql): Sql {
  return sql`exists (select from (${set.elements}) as condition_element(value) where ${holds(element)})`
}

/** Each of these words is among the elements; of no words, that is always so. */
export function hasAllOf(set: ValueSet, words: string[], viewer: Viewer): Sql {
  return sql`(${many(set.of, words, viewer)} <@ array(
    select ${comparable(set.of, element)} from (${set.elements}) as condition_element(value)))`
}

export function isEmptySet(set: ValueSet): Sql {
  return sql`(not ${some(set, value => sql`${value} is not null`)})`
}
