import { type Static, Type } from 'typebox'
import { and, or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfList } from '../../records/code-table.ts'
import { excessiveCost, maxTextConditions, maxTextWords } from './condition-cost.ts'
import { operator, operatorNames, withoutRightSide } from './operators/operators.ts'
import { type TranslatedCondition, translate } from './translate.ts'
import type { Path, Viewer, Vocabulary } from './vocabulary.ts'

export { readList } from './operands/right-side.ts'
export { textPlaces } from './operators/text-match.ts'
export { literalIn } from './pattern/pattern-literal.ts'
export type { Path, TextPlace, Viewer, Vocabulary } from './vocabulary.ts'
export { operator, operatorNames }

const operators = codeTableOfList('operator', operatorNames)

const Condition = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 200 })),
    leftSide: Type.String({ maxLength: 200 }),
    rightSide: Type.Optional(
      Type.String({ maxLength: 4000, description: `May be left out for ${withoutRightSide.join(', ')}.` }),
    ),
    operator: Code(operators),
  },
  {
    additionalProperties: false,
    if: {
      required: ['operator'],
      properties: { operator: { not: { enum: withoutRightSide.map(name => operator[name]) } } },
    },
    then: { required: ['rightSide'] },
  },
)

const Group = Type.Object({ condition: Type.Array(Condition, { maxItems: 50 }) }, { additionalProperties: false })

const groups = Type.Array(Group, { maxItems: 20 })
export type ConditionGroups = Static<typeof groups>

/** The conditions of a filter, a rule or a clock: groups are ORed, the conditions in a group are ANDed. */
export const ConditionGroups = Type.Unsafe<ConditionGroups>({
  ...groups,
  description: `One of the groups must hold; a group holds if all its conditions do. At most ${maxTextConditions} conditions look into texts, for ${maxTextWords} words.`,
  'x-check': (groups: unknown) => (Array.isArray(groups) ? excessiveCost(groups) : undefined),
})

/** A condition that can never hold, and the reason; `path` is a JSON pointer into the groups. */
export interface ConditionFinding {
  path: string
  code: string
  message: string
}

/**
 * Translates the groups to one SQL predicate; without groups, or with an empty group, it is true. It may be null where
 * it does not hold, so negate it with `is not true`.
 */
export function compile(groups: ConditionGroups, vocabulary: Vocabulary, viewer: Viewer): Sql {
  if (groups.length === 0) return raw('true')
  return or(meanings(groups, vocabulary, viewer).map(group => and(group.map(meaning => meaning.sql))))
}

/** Lists all inert parts of the groups for the record's `check`; empty if all conditions can run. */
export function check(groups: ConditionGroups, vocabulary: Vocabulary): ConditionFinding[] {
  return meanings(groups, vocabulary, anyone).flatMap((group, g) =>
    group.flatMap((meaning, c) =>
      meaning.faults.map(({ part, code, message }) => ({ path: `/${g}/condition/${c}/${part}`, code, message })),
    ),
  )
}

/** One condition with the value of its left side, as text, and whether it holds: for explanations to users. */
interface ExplainedCondition {
  group: number
  id: string
  leftSide: string
  operator: number
  rightSide: string
  left: Sql
  holds: Sql
  /** The path does not exist, or the condition cannot be parsed. */
  fault?: string
}

/** Evaluates every condition separately. */
export function explain(groups: ConditionGroups, vocabulary: Vocabulary, viewer: Viewer): ExplainedCondition[] {
  return meanings(groups, vocabulary, viewer).flatMap((group, g) =>
    group.map((meaning, c) => {
      const { id = '', leftSide = '', operator = 0, rightSide = '' } = groups[g]?.condition[c] ?? {}
      const fault = meaning.faults[0]?.code === 'unknown-path' ? 'missing' : meaning.faults[0]?.message
      const told = { group: g, id, leftSide, operator, rightSide, ...(fault ? { fault } : {}) }
      return { ...told, left: leftText(vocabulary.resolve(leftSide)), holds: meaning.sql }
    }),
  )
}

function leftText(path: Path | undefined): Sql {
  if (!path) return raw('null::text')
  if (path.kind !== 'set') return sql`left((${path.value})::text, 200)`
  return sql`left((select string_agg(told.value::text, ', ') from (${path.elements}) as told(value)), 200)`
}

// Whether a condition can be parsed does not depend on the viewer.
const anyone: Viewer = { userId: '00000000-0000-0000-0000-000000000000', now: new Date(0), timezone: 'UTC' }

// A schema limits each array but not their sum. PostgreSQL caches 32 compiled patterns per connection; with more in one
// statement it would compile them again for every row.
const maxConditions = 50
const maxPatterns = 10

function meanings(groups: ConditionGroups, vocabulary: Vocabulary, viewer: Viewer): TranslatedCondition[][] {
  let conditions = 0
  let patterns = 0
  return groups.map(group =>
    group.condition.map(condition => {
      if (++conditions > maxConditions) return excess('too-many-conditions', `only ${maxConditions} conditions run`)
      const meaning = translate(condition, vocabulary, viewer)
      if (meaning.pattern && ++patterns > maxPatterns) {
        return excess('too-many-patterns', `only ${maxPatterns} patterns run`)
      }
      return meaning
    }),
  )
}

function excess(code: string, message: string): TranslatedCondition {
  return { sql: raw('false'), faults: [{ part: 'operator', code, message }] }
}
