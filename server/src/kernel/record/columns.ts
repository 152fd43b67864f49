import type { Schema } from '../schema/shape.ts'
import { name, raw, type Sql, sql } from '../sql.ts'

export type ColumnType =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'numeric'
  | 'float8'
  | 'boolean'
  | 'timestamptz'
  | 'date'
  | 'uuid'
  | 'uuid[]'
  | 'text[]'
  | 'integer[]'
  | 'jsonb'

/** The column of a property, with its type and schema. */
export interface Column {
  property: string
  column: string
  type: ColumnType
  schema: Schema
}

/** `domainStopList` is stored in `domain_stop_list`. */
export function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter, at: number) => (at === 0 ? '' : '_') + letter.toLowerCase())
}

export function columnOf(property: string, schema: Schema): Column {
  return { property, column: snakeCase(property), type: columnType(schema), schema }
}

function columnType(schema: Schema): ColumnType {
  const given = schema['x-column']
  if (typeof given === 'string') return given as ColumnType
  switch (schema.type) {
    case 'string':
      if (schema['x-ref']) return 'uuid'
      if (schema.format === 'date-time') return 'timestamptz'
      return schema.format === 'date' ? 'date' : 'text'
    case 'integer':
      return 'integer'
    case 'number':
      return 'numeric'
    case 'boolean':
      return 'boolean'
    case 'array': {
      if (schema.items?.['x-ref']) return 'uuid[]'
      if (schema.items?.type === 'string') return 'text[]'
      return schema.items?.type === 'integer' ? 'integer[]' : 'jsonb'
    }
    default:
      return 'jsonb'
  }
}

/** The value of a property that was never given. */
export function plainDefault({ type, schema }: Column): unknown {
  if ('default' in schema) return schema.default
  switch (type) {
    case 'text':
    case 'uuid':
      return ''
    case 'integer':
    case 'bigint':
    case 'numeric':
      return 0
    case 'boolean':
      return false
    case 'timestamptz':
    case 'date':
      return null
    case 'jsonb':
      return schema.type === 'array' ? [] : schema.type === 'object' ? {} : null
    default:
      return []
  }
}

/** The bound value of a property, cast to its column's type. */
export function stored({ type }: Column, value: unknown): Sql {
  if (type === 'uuid') return sql`${value === '' ? null : value}::uuid`
  if (type === 'jsonb') return sql`${JSON.stringify(value ?? null)}::jsonb`
  return sql`${value}::${raw(type)}`
}

/** ISO 8601 in UTC, to the millisecond. */
export function instantText(expression: Sql): Sql {
  return sql`to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** The value of a property as replies show it. */
export function shown({ column, type }: Column, alias: Sql): Sql {
  const source = sql`${alias}.${name(column)}`
  if (type === 'timestamptz') return instantText(source)
  if (type === 'uuid') return sql`coalesce(${source}::text, '')`
  return source
}
