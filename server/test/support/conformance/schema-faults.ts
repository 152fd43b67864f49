import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { formats } from '../../../src/kernel/schema/formats.ts'
import { document, type Json } from './document.ts'

// Each named schema of the document is compiled once, when an answer first needs it. The schemas themselves are
// checked by the OpenAPI suite. Each is used a few times only, so shorter code would cost more than it saves.
export const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  validateFormats: true,
  inlineRefs: false,
  code: { optimize: false },
})

/** The formats as other programs understand them: the empty text has none of them. */
for (const [format, { check }] of Object.entries(formats)) ajv.addFormat(format, text => text !== '' && check(text))
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
ajv.addFormat('binary', true)

for (const [name, schema] of Object.entries<Json>(document.components.schemas)) ajv.addSchema(rooted(schema), name)

const compiled = new Map<Json, ValidateFunction>()
const compiledTexts = new Map<string, ValidateFunction>()

/** Describes how a value differs from a schema of the document. */
export function schemaFaults(schema: Json, value: unknown): string[] {
  if (schema === undefined) return []
  const validate = compiled.get(schema) ?? compile(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map(each => `${each.instancePath || '/'} ${each.message}`)
}

/** Operations of one kind have equal schemas, which are compiled once. */
function compile(schema: Json): ValidateFunction {
  const text = JSON.stringify(schema)
  const validate = compiledTexts.get(text) ?? ajv.compile(rooted(schema))
  compiled.set(schema, validate)
  compiledTexts.set(text, validate)
  return validate
}

/** Lets references lead to the named schemas, so that a part of the document can be compiled by itself. */
function rooted(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(rooted)
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace('#/components/schemas/', '') : rooted(value),
    ]),
  )
}
