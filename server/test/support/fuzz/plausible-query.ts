import type { Schema } from '../../../src/kernel/schema/shape.ts'
import type { Op } from '../operations.ts'

/** A parameter that the operation declares, or a property by which its list can be filtered. */
export interface Parameter {
  name: string
  schema: Schema
}

/** Lists the parameters that an operation accepts. */
export function parametersOf({ operation, answersList }: Op): Parameter[] {
  const { query = {}, filters, mode } = operation
  const declared = Object.entries(query).map(([name, schema]) => ({ name, schema }))
  if (mode !== 'read') declared.push({ name: 'dryRun', schema: { type: 'string', enum: ['true', 'false'] } })
  if (!answersList || !filters) return declared
  const filtering = Object.entries(propertiesOf(operation)).flatMap(([name, schema]) =>
    ['', '[gte]', '[ne]', '[like]'].map(operator => ({ name: `${name}${operator}`, schema })),
  )
  return [...declared, ...filtering]
}

const propertiesOf = ({ reply }: Op['operation']): Readonly<Record<string, Schema>> =>
  reply.schema?.items?.properties ?? {}

const texts: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  email: 'ada@example.com',
  timezone: 'Europe/Berlin',
  decimal: '12.5',
}

/** Returns a value that the parameter is likely to accept; `pick` selects among several. */
export function plausibleValue({ operation }: Op, { name, schema }: Parameter, pick: number): string {
  const properties = Object.keys(propertiesOf(operation))
  const property = (step: number) => properties[(pick + step) % properties.length] ?? 'name'
  if (name === 'sort') return `${pick % 2 ? '-' : ''}${property(0)}`
  if (name === 'fields') return `${property(0)},${property(1)}`
  const { enum: choices, type, format = '' } = schema
  if (choices) return String(choices[pick % choices.length])
  if (type === 'integer' || type === 'number') return String(1 + (pick % 50))
  if (type === 'boolean') return String(pick % 2 === 0)
  return texts[format] ?? ['a', 'canary', 'INBOX', '@me', ''][pick % 5] ?? ''
}
