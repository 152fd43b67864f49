import { type Static, Type } from 'typebox'
import type { Id } from '../kernel/id.ts'
import type { Finding } from '../kernel/record/record.ts'
import { type Fault, fault } from '../kernel/refusal.ts'
import { Part, Refs, Text } from '../kernel/schema/values.ts'
import { withConditionIds } from '../language/conditions/condition-ids.ts'
import { ConditionGroups } from '../language/conditions/conditions.ts'

const parts = Part({
  container: Refs('Container', 100),
  conditionGroup: ConditionGroups,
  includeClosed: Type.Boolean(),
  sortField: Text(200),
  sortDescending: Type.Boolean(),
})

const none = { container: [], conditionGroup: [], includeClosed: false, sortField: '', sortDescending: false }

/** The conditions, the containers and the sort order of a filter. */
export const Criteria = Type.Unsafe<Static<typeof parts>>({ ...parts, default: none })
export type Criteria = Static<typeof Criteria>

/** Completes criteria; parts that are not given keep their stored values. */
export function completed(given: Criteria | null | undefined, before: Criteria = none): Criteria {
  const { container, conditionGroup, ...rest } = { ...none, ...before, ...given }
  const containers = new Set(container.map(id => id.toLowerCase()))
  return { ...rest, container: [...containers], conditionGroup: withConditionIds(conditionGroup) }
}

const maxConditions = 50

export function criteriaFaults({ conditionGroup = [] }: Criteria): Fault[] {
  const count = conditionGroup.reduce((sum, group) => sum + group.condition.length, 0)
  if (count <= maxConditions) return []
  return [fault(['criteria', 'conditionGroup'], 'maxItems', `must have at most ${maxConditions} conditions in total`)]
}

/** Where conditions are: the containers whose items they are about, and their property in the record. */
export interface ConditionPlace {
  /** None means all containers. */
  containerIds?: readonly Id[]
  /** A JSON pointer. */
  at?: string
}

declare module '../kernel/context.ts' {
  interface Services {
    /** Findings for conditions on items that can never hold. The room of items, which knows their paths, has it. */
    conditionFindings: (ctx: Context, groups: ConditionGroups, place: ConditionPlace) => Promise<Finding[]>
  }
}
