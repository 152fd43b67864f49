/** The operators by their code: the place in this list. Append only. */
export const operatorNames = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'greaterThan',
  'greaterOrEqual',
  'lessThan',
  'lessOrEqual',
  'isEmpty',
  'isNotEmpty',
  'startsWith',
  'endsWith',
  'in',
  'notIn',
  'between',
  'containsAll',
  'matches',
  'notMatches',
  'changed',
  'changedTo',
  'changedFrom',
  'notChanged',
  'withinLast',
  'withinNext',
  'olderThan',
  'laterThan',
  'inWorkingTime',
  'notInWorkingTime',
  'memberOf',
  'notMemberOf',
  'under',
  'search',
] as const

export type ConditionOperator = (typeof operatorNames)[number]

/** A negated operator holds exactly where its opposite does not, so it holds for an empty left side too. */
export const opposites = {
  notEquals: 'equals',
  notContains: 'contains',
  isNotEmpty: 'isEmpty',
  notIn: 'in',
  notMatches: 'matches',
  notInWorkingTime: 'inWorkingTime',
  notMemberOf: 'memberOf',
} as const satisfies Partial<Record<ConditionOperator, ConditionOperator>>

type Negated = keyof typeof opposites

/** What can only be told of an event, and never holds for a record by itself. */
export const eventOperators = [
  'changed',
  'changedTo',
  'changedFrom',
  'notChanged',
] as const satisfies ConditionOperator[]

export type EventOperator = (typeof eventOperators)[number]

/** The operators that have a meaning of their own. */
export type Positive = Exclude<ConditionOperator, Negated | EventOperator>

export function isNegated(operator: ConditionOperator): operator is Negated {
  return operator in opposites
}

export function isEventOperator(operator: ConditionOperator): operator is EventOperator {
  return eventOperators.some(name => name === operator)
}
