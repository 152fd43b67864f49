import type { Schema } from '../../kernel/schema/shape.ts'

/** The named schemas of the document, which grow while its operations are described. */
export type Components = Record<string, Schema>

/** Describes a body by its media type, its schema and an example. */
export function contentOf(
  schema: Schema,
  schemas: Components,
  media = schema.contentMediaType ?? 'application/json',
  example?: unknown,
): Record<string, unknown> {
  return { [media]: { schema: published(schema, schemas), ...(example === undefined ? {} : { example }) } }
}

const unpublished = new Set(['nullable', 'x-column', 'x-mentions', 'x-folded'])

/** Describes the body of a reply. */
export function replyContent(schema: Schema, schemas: Components): Record<string, unknown> {
  return contentOf(withoutAddresses(schema), schemas)
}

/** An address is checked when a caller writes it; those of arrived mail, and empty ones, are shown as they are. */
function withoutAddresses({ format, ...schema }: Schema): Schema {
  const { items, properties } = schema
  return {
    ...schema,
    ...(format === undefined || format === 'email' ? {} : { format }),
    ...(items ? { items: withoutAddresses(items) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, withoutAddresses(each)]),
          ),
        }
      : {}),
  }
}

/** Returns a schema as the document shows it: named schemas as references, keywords of the service translated or left out. */
function published(schema: Schema, schemas: Components): Schema {
  if (typeof schema.title === 'string' && /^[A-Z]\w*$/.test(schema.title)) {
    const { title, ...rest } = schema
    schemas[title] ??= { title, ...published(rest, schemas) }
    return { $ref: `#/components/schemas/${title}` }
  }
  const shown: Schema & Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (unpublished.has(keyword) || keyword.startsWith('~')) continue
    if (keyword === 'x-ref') shown.description ??= `The id of ${/^[AEIO]/.test(String(value)) ? 'an' : 'a'} ${value}.`
    else shown[keyword] = value
  }
  if (schema.nullable && schema.type) shown.type = [...new Set([schema.type, 'null'].flat())]
  if (schema.properties)
    shown.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, each]) => [name, published(each, schemas)]),
    )
  if (schema.items) shown.items = published(schema.items, schemas)
  return shown
}
