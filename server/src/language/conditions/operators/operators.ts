import { recordOf } from '../../../records/references/keys-of.ts'

/** The operators; the code of each is its index in this list. Append only. */
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

/** The code of each operator by its name: `operator.contains`. */
export const operator: Readonly<Record<ConditionOperator, number>> = recordOf(operatorNames, (_name, code) => code)

/** The operators that ask only about the left side. */
export const withoutRightSide = [
  'isEmpty',
  'isNotEmpty',
  'changed',
  'notChanged',
] as const satisfies ConditionOperator[]

/** A negated operator holds exactly where its opposite does not, and therefore also for an empty left side. */
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

/** The operators that need an event and never hold for a record by itself. */
const eventOperators = ['changed', 'changedTo', 'changedFrom', 'notChanged'] as const satisfies ConditionOperator[]

export type EventOperator = (typeof eventOperators)[number]

/** The operators that neither negate another one nor need an event. */
export type Positive = Exclude<ConditionOperator, Negated | EventOperator>

export function isNegated(operator: ConditionOperator): operator is Negated {
  return operator in opposites
}

export function isEventOperator(operator: ConditionOperator): operator is EventOperator {
  return eventOperators.some(name => name === operator)
}
