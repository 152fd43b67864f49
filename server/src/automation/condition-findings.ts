import { type ConditionGroups, operatorNames } from '../kernel/conditions/conditions.ts'
import type { Finding } from '../kernel/resource.ts'

/** What of the conditions of a rule or a notification can never hold. */
export function conditionFindings(groups: ConditionGroups): Finding[] {
  // The left sides are checked by `check(groups, vocabulary)` as soon as items have a vocabulary; it names the operators too.
  return groups.flatMap((group, g) =>
    group.condition.flatMap(({ operator }, c) =>
      operatorNames[operator]
        ? []
        : [
            {
              path: `/conditionGroup/${g}/condition/${c}/operator`,
              code: 'unknown-operator',
              message: 'no such operator',
            },
          ],
    ),
  )
}
