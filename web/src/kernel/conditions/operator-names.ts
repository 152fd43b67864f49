import type { OperatorName, Property } from '../fields/field-type.ts'
import { say } from './messages.ts'

const dated = (type: Property['type']) => type === 'date' || type === 'moment'
const listed = (type: Property['type']) => type === 'choices'

/** How an operator is called on a property: a date is before another, a number less. */
export function operatorName(operator: OperatorName, { type }: Pick<Property, 'type'>, count = 1): string {
  const names: Partial<Record<OperatorName, string>> = {
    equals: say.is,
    notEquals: say.isNot,
    in: listed(type) ? say.has : count > 1 ? say.isAnyOf : say.is,
    notIn: listed(type) ? say.hasNot : count > 1 ? say.isNoneOf : say.isNot,
    containsAll: say.hasAll,
    contains: say.contains,
    notContains: say.containsNot,
    startsWith: say.startsWith,
    endsWith: say.endsWith,
    isEmpty: say.isEmpty,
    isNotEmpty: say.isNotEmpty,
    lessThan: dated(type) ? say.before : '<',
    lessOrEqual: dated(type) ? say.until : '≤',
    greaterThan: dated(type) ? say.after : '>',
    greaterOrEqual: dated(type) ? say.since : '≥',
    between: say.between,
    withinNext: say.withinNext,
    withinLast: say.withinLast,
    olderThan: say.olderThan,
    laterThan: say.laterThan,
  }
  return names[operator] ?? operator
}
