import type { TProperties } from 'typebox'
import type { Schema } from '../schema/shape.ts'
import { columnOf, plainDefault } from './columns.ts'
import { findingsSchema } from './record.ts'

/** The schema of requests: every property is optional and `null` means its default, unless a value is required. */
export function requestSchema(
  shape: TProperties,
  required: readonly string[],
  serverSet: readonly string[],
  neverNull = required,
): Schema {
  const properties: Record<string, Schema> = {}
  for (const [property, schema] of Object.entries(shape)) {
    if (serverSet.includes(property)) continue
    const plain: Schema = schema
    properties[property] =
      neverNull.includes(property) || plain.type === undefined ? plain : { ...plain, nullable: true }
  }
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

/** The schema of replies: every property is present, except those that some callers do not see. */
export function answerSchema(
  entity: string,
  shape: TProperties,
  about: string,
  derived: readonly { property: string; schema: Schema }[],
  checked: boolean,
  notForAll: readonly string[] = [],
): Schema {
  const own = Object.fromEntries(
    Object.entries(shape).map(([property, schema]) => {
      const column = columnOf(property, schema)
      const { type } = column.schema
      return [
        property,
        typeof type === 'string' && plainDefault(column) === null ? { ...schema, type: [type, 'null'] } : schema,
      ]
    }),
  )
  const more: Record<string, Schema> = {
    ...Object.fromEntries(derived.map(({ property, schema }) => [property, schema])),
    ...(checked ? { check: findingsSchema } : {}),
  }
  return {
    type: 'object',
    title: entity,
    description: about,
    properties: {
      ...commonSchema(entity),
      ...own,
      ...more,
    },
    required: [...Object.keys(commonSchema(entity)), ...Object.keys(own), ...Object.keys(more)].filter(
      property => !notForAll.includes(property),
    ),
  }
}

function commonSchema(entity: string): Record<string, Schema> {
  const instant = { type: 'string', format: 'date-time' }
  const id = { type: 'string', format: 'uuid' }
  return {
    entity: { type: 'string', const: entity },
    tenantId: id,
    id,
    created: instant,
    createdBy: id,
    updated: instant,
    updatedBy: id,
    deleted: { type: 'boolean' },
    version: { type: 'integer', description: 'Counts the changes; the ETag is "v" and this number.' },
  }
}
