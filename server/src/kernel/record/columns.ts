import type { Schema } from '../schema/shape.ts'
import { name, raw, type Sql, sql } from '../sql.ts'

export type ColumnType =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'numeric'
  | 'decimal'
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
export function stored({ type, schema }: Column, value: unknown): Sql {
  if (schema.readOnly) return raw('default') // PostgreSQL computes it from other columns
  if (type === 'uuid') return sql`${value === '' ? null : value}::uuid`
  if (type === 'jsonb') return sql`${JSON.stringify(value ?? null)}::jsonb`
  return sql`${value}::${raw(type)}`
}

/** ISO 8601 in UTC, to the millisecond. */
export function instantText(expression: Sql): Sql {
  return sql`to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** The value of a property as JSON text, which still needs quotation marks if it is `quoted`. */
export type JsonText = { text: Sql; quoted?: boolean }

/** The JSON text of types for which it is cheap. The functions that make JSON look up the type of each value in each row. */
const jsonTexts: Partial<Record<ColumnType, (source: Sql) => Sql>> = {
  integer: source => source,
  bigint: source => source,
  boolean: source => sql`${source}::text`,
  text: source => sql`to_json(${source})`,
  decimal: source => sql`coalesce('"' || ${source} || '"', 'null')`,
  timestamptz: source => sql`coalesce('"' || ${instantText(source)} || '"', 'null')`,
  'uuid[]': each => sql`case when ${each} = '{}' then '[]' else '["' || array_to_string(${each}, '","') || '"]' end`,
  jsonb: source => sql`coalesce(${source}::text, 'null')`,
}

export function jsonText({ column, type, schema }: Column, alias: Sql): JsonText {
  const source = sql`${alias}.${name(column)}`
  if (type === 'uuid') return { text: source, quoted: true }
  const mayBeNull = schema.default === null && type !== 'timestamptz' && type !== 'decimal'
  return { text: (mayBeNull ? jsonOf : (jsonTexts[type] ?? jsonOf))(source) }
}

/** Any value as JSON text. */
export function jsonOf(value: Sql): Sql {
  return sql`coalesce(to_json(${value})::text, 'null')`
}
