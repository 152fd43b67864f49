import { formats } from '../../kernel/schema/formats.ts'
import type { CodeTable, Schema } from '../../kernel/schema/shape.ts'

/** The named schemas of the document, which grow while its operations are described. */
export type Components = Record<string, Schema>

/** Describes the body of a request by its media type, its schema and an example. */
export function requestContent(
  schema: Schema,
  schemas: Components,
  media: string,
  example?: unknown,
): Record<string, unknown> {
  return { [media]: { schema: published(schema, schemas, 'request'), ...(example === undefined ? {} : { example }) } }
}

const unpublished = new Set(['nullable', 'x-column', 'x-mentions', 'x-folded', 'x-codes', 'x-read'])

/** Describes the body of a reply by its media type and its schema. */
export function replyContent(schema: Schema, schemas: Components): Record<string, unknown> {
  return { [schema.contentMediaType ?? 'application/json']: { schema: published(schema, schemas, 'reply') } }
}

const secretText = 'A secret: `***` if there is one, else empty. A request with `***` keeps it.'

/** Longer tables are not repeated at every property. */
const maxShown = 12

/** Describes what the integers of a property mean. */
export function codesText({ field, meanings }: CodeTable): string {
  if (meanings.length > maxShown)
    return `A code or name of the table \`${field}\` (\`/api/meta/codes?field=${field}\`).`
  return `A code or its name: ${meanings.map(({ code, name }) => `${code} \`${name}\``).join(' · ')}.`
}

/** What names a record in a request beside its id; see `app/routes/named-references.ts`. */
const alsoTaken: Readonly<Record<string, string>> = { User: ' or the e-mail address', Item: ' or the key' }

function referenceText(entity: string, use: 'request' | 'reply'): string {
  const also = use === 'request' ? (alsoTaken[entity] ?? '') : ''
  return `The id${also} of ${/^[AEIO]/.test(entity) ? 'an' : 'a'} ${entity}.`
}

/** Returns a schema as the document shows it: named schemas as references, keywords of the service translated or left out. */
function published(schema: Schema, schemas: Components, use: 'request' | 'reply'): Schema {
  if (typeof schema.title === 'string' && /^[A-Z]\w*$/.test(schema.title)) {
    const { title, ...rest } = schema
    schemas[title] ??= { title, ...published(rest, schemas, use) }
    return { $ref: `#/components/schemas/${title}` }
  }
  const shown: Schema & Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (unpublished.has(keyword) || keyword.startsWith('~')) continue
    // A reply shows a mask in the place of a secret.
    if (keyword === 'writeOnly' && use === 'reply') shown.description ??= secretText
    else if (keyword === 'x-ref') shown.description ??= referenceText(String(value), use)
    else shown[keyword] = value
  }
  // An address is checked when a caller writes it; those of arrived mail are shown as they are.
  if (schema.format === 'email' && use === 'reply') delete shown.format
  else if (schema.format && schema.minLength === undefined && formats[schema.format]?.check('')) {
    // Elsewhere the empty text is no e-mail address and no time zone; here it stands for none.
    shown.anyOf = [{ maxLength: 0 }, { format: schema.format }]
    delete shown.format
  }
  if (schema['x-codes']) shown.description ??= codesText(schema['x-codes'])
  if (schema.nullable && schema.type) shown.type = [...new Set([schema.type, 'null'].flat())]
  if (schema.properties)
    shown.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, each]) => [name, published(each, schemas, use)]),
    )
  if (schema.items) shown.items = published(schema.items, schemas, use)
  if (schema.anyOf) shown.anyOf = schema.anyOf.map(each => published(each, schemas, use))
  return shown
}
