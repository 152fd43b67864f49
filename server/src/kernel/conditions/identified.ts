import { newId } from '../id.ts'
import type { ConditionGroups } from './conditions.ts'

/**
 * The groups with an id on every condition, given or made, so that a trace can name it. A condition that comes back
 * without its id keeps the one it had.
 */
export function identified(groups: ConditionGroups, before: ConditionGroups = []): ConditionGroups {
  const given = new Set(groups.flatMap(group => group.condition).map(condition => condition.id))
  const free = Map.groupBy(
    before.flatMap(group => group.condition).filter(condition => !given.has(condition.id)),
    likeness,
  )
  return groups.map(group => ({
    condition: group.condition.map(condition => ({
      ...condition,
      id: condition.id || (free.get(likeness(condition))?.shift()?.id ?? newId()),
    })),
  }))
}

type Condition = ConditionGroups[number]['condition'][number]

function likeness({ leftSide, operator, rightSide }: Condition): string {
  return JSON.stringify([leftSide, operator, rightSide])
}
