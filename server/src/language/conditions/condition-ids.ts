import type { ConditionGroups } from './conditions.ts'

/**
 * Gives every condition without an id a new one, so that a trace can name the condition that did not hold. A right side
 * that was left out is empty.
 */
export function withConditionIds(groups: ConditionGroups): ConditionGroups {
  const taken = new Set(groups.flatMap(group => group.condition.map(each => each.id)))
  let n = 0
  const next = () => {
    do n++
    while (taken.has(`c${n}`))
    return `c${n}`
  }
  return groups.map(({ condition }) => ({
    condition: condition.map(each => ({ rightSide: '', ...each, id: each.id || next() })),
  }))
}
