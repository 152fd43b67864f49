import { instantOf } from '../schema/formats.ts'
import { type Column, plainDefault } from './columns.ts'
import type { Properties, Row } from './store-options.ts'

/** Gives every property a value: the given one or the default. */
export function completed(columns: readonly Column[], values: Properties): Properties {
  const entries = columns.map(column => {
    const value = values[column.property]
    return [column.property, value === undefined || value === null ? plainDefault(column) : normalize(column, value)]
  })
  return Object.fromEntries(entries)
}

/** Returns the properties of the kind, without those that all records have. */
export function ownProperties(columns: readonly Column[], record: Row): Properties {
  return Object.fromEntries(columns.map(({ property }) => [property, record[property]]))
}

/** Equal values are stored in one notation, so that an update does not report a change that is none. */
function normalize({ type, schema }: Column, value: unknown): unknown {
  if (type === 'timestamptz' && typeof value === 'string') return instantOf(value)
  if (type === 'uuid' && typeof value === 'string') return value.toLowerCase()
  if (type === 'uuid[]' && Array.isArray(value)) return [...new Set(value.map(each => String(each).toLowerCase()))]
  if (schema.format === 'email' && typeof value === 'string') return value.trim()
  return value
}
