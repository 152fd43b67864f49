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

export type Operator = (typeof operatorNames)[number]

/** A negated operator holds exactly where its opposite does not, so it holds for an empty left side too. */
export const opposites = {
  notEquals: 'equals',
  notContains: 'contains',
  isNotEmpty: 'isEmpty',
  notIn: 'in',
  notMatches: 'matches',
  notInWorkingTime: 'inWorkingTime',
  notMemberOf: 'memberOf',
} as const satisfies Partial<Record<Operator, Operator>>

type Negated = keyof typeof opposites

/** What can only be told of an event, and never holds for a record by itself. */
export const ofEvents = ['changed', 'changedTo', 'changedFrom', 'notChanged'] as const satisfies Operator[]

export type OfEvents = (typeof ofEvents)[number]

/** The operators that have a meaning of their own. */
export type Positive = Exclude<Operator, Negated | OfEvents>

export function isNegated(operator: Operator): operator is Negated {
  return operator in opposites
}

export function isOfEvents(operator: Operator): operator is OfEvents {
  return ofEvents.some(name => name === operator)
}
