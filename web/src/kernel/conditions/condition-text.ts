import { codes } from '@gantry/sdk'
import type { OperatorName } from '../fields/field-type.ts'
import type { Condition, Conditions } from './conditions.ts'

// Conditions in an address: `status:notIn:Done;assignees:in:@me|tags:in:urgent`. `|` is “or”, `;` is “and”.

const special = /[~|;:,]/g

const encoded = (text: string) => text.replace(special, each => `~${each.charCodeAt(0).toString(16)}`)
const decoded = (text: string) =>
  text.replace(/~([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

export function printConditions(conditions: Conditions): string {
  return conditions
    .filter(group => group.length > 0)
    .map(group => group.map(printOne).join(';'))
    .join('|')
}

function printOne({ path, operator, values }: Condition): string {
  return [encoded(path), operator, ...(values.length > 0 ? [values.map(encoded).join(',')] : [])].join(':')
}

/** What cannot be read is left out: an address that somebody has cut still opens. */
export function parseConditions(text: string): Conditions {
  const groups = text.split('|').map(group => group.split(';').flatMap(parseOne))
  return groups.filter(group => group.length > 0)
}

function parseOne(text: string): Condition[] {
  const [path = '', operator = '', values] = text.split(':')
  if (path === '' || !isOperator(operator)) return []
  return [{ path: decoded(path), operator, values: values === undefined ? [] : values.split(',').map(decoded) }]
}

const isOperator = (name: string): name is OperatorName => Object.hasOwn(codes.operator, name)
