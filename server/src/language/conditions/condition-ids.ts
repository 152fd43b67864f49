import type { ConditionGroups } from './conditions.ts'

/** Every condition has an id, given or made, so that a trace can say which one did not hold. */
export function withConditionIds(groups: ConditionGroups): ConditionGroups {
  const taken = new Set(groups.flatMap(group => group.condition.map(each => each.id)))
  let n = 0
  const next = () => {
    do n++
    while (taken.has(`c${n}`))
    return `c${n}`
  }
  return groups.map(({ condition }) => ({ condition: condition.map(each => ({ ...each, id: each.id || next() })) }))
}
