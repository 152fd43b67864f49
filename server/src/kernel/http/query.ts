import type { Operation } from '../operation.ts'
import { type Fault, fault, Invalid } from '../refusal.ts'
import { nearest, type Schema } from '../schema/shape.ts'

/** The parameter that all writes have. */
export const dryRunQuery: Schema = {
  type: 'string',
  enum: ['true', 'false'],
  description: 'Performs all checks, returns `{would, warnings}` and stores nothing.',
}

/** The part of an operation that says which parameters it has. */
type Queried = Pick<Operation, 'query' | 'mode' | 'filters'>

/** The parameters that an operation declares; a list has filters beyond them. */
function declaredQuery({ query = {}, mode }: Queried): Record<string, Schema> {
  return mode === 'read' ? query : { ...query, dryRun: dryRunQuery }
}

/** Makes the function that refuses unknown and repeated parameters, and values that an enumeration does not have. */
export function queryReader(operation: Queried): (query: Record<string, unknown>) => Record<string, unknown> {
  const declared = new Map(Object.entries(declaredQuery(operation)))
  return query => {
    const faults = Object.entries(query).flatMap(([name, value]): Fault[] => {
      if (isUnstorable(name) || [value].flat().some(each => isUnstorable(String(each))))
        return [fault([name.replaceAll('\0', '')], 'unstorable-text', 'holds a character that cannot be stored')]
      const schema = declared.get(name)
      if (schema) return valueFaults(name, value, schema)
      return operation.filters ? [] : [unknownParameter(name, declared.keys())]
    })
    if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
    return query
  }
}

const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed()

function valueFaults(name: string, value: unknown, schema: Schema): Fault[] {
  if (Array.isArray(value)) return [fault([name], 'duplicate', 'is given more than once')]
  if (!schema.enum || schema.enum.includes(value)) return []
  return [fault([name], 'enum', `must be ${schema.enum.join(' or ')}`, value)]
}

/** The fault of a parameter that the operation does not have; `names` are those that it has. */
export function unknownParameter(name: string, names: Iterable<string>): Fault {
  const near = nearest(name.replace(/\[.*/, ''), names)
  return fault([name], 'unknown', `is not a parameter here${near ? `; did you mean ${near}?` : ''}`)
}
