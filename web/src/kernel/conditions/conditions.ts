import { codes } from '@gantry/sdk'
import type { OperatorName } from '../fields/field-type.ts'

/** What a record must fulfil: `dueDate lessThan @today`. */
export interface Condition {
  path: string
  operator: OperatorName
  /** Several for “any of” and for the two ends of a range; none for operators that ask only about the path. */
  values: readonly string[]
}

/** One of the groups must hold; a group holds if all its conditions do. No group is no condition. */
export type Conditions = readonly (readonly Condition[])[]

/** Conditions as the service has them. */
export interface ConditionGroup {
  condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[]
}

const lists: readonly OperatorName[] = ['in', 'notIn', 'containsAll']
const bare: readonly OperatorName[] = ['isEmpty', 'isNotEmpty', 'changed', 'notChanged']

export const takesList = (operator: OperatorName): boolean => lists.includes(operator)
export const takesNothing = (operator: OperatorName): boolean => bare.includes(operator)

export function toGroups(conditions: Conditions): ConditionGroup[] {
  return conditions.filter(group => group.length > 0).map(group => ({ condition: group.map(toService) }))
}

function toService({ path, operator, values }: Condition): ConditionGroup['condition'][number] {
  const side = { leftSide: path, operator: codes.operator[operator] }
  return takesNothing(operator) ? side : { ...side, rightSide: rightSideOf(operator, values) }
}

function rightSideOf(operator: OperatorName, values: readonly string[]): string {
  if (takesList(operator)) return JSON.stringify(values)
  return operator === 'between' ? values.join('..') : (values[0] ?? '')
}

const operatorNames = new Map(
  Object.entries(codes.operator).map(([name, code]) => [code as number, name as OperatorName]),
)

export function fromGroups(groups: readonly ConditionGroup[]): Conditions {
  return groups.map(({ condition }) =>
    condition.map(({ leftSide, operator, rightSide = '' }) => {
      const name = operatorNames.get(operator) ?? 'equals'
      return { path: leftSide, operator: name, values: valuesOf(name, rightSide) }
    }),
  )
}

function valuesOf(operator: OperatorName, rightSide: string): readonly string[] {
  if (takesNothing(operator)) return []
  if (operator === 'between') return rightSide.split('..')
  return takesList(operator) ? listOf(rightSide) : [rightSide]
}

function listOf(text: string): readonly string[] {
  if (!text.trimStart().startsWith('[')) return [text]
  try {
    const values: unknown = JSON.parse(text)
    return Array.isArray(values) ? values.map(String) : [text]
  } catch {
    return [text]
  }
}

/** Conditions that hold where those do and this one, too. */
export function andAlso(conditions: Conditions, ...more: readonly Condition[]): Conditions {
  const groups = conditions.filter(group => group.length > 0)
  return groups.length === 0 ? [more] : groups.map(group => [...group, ...more])
}
