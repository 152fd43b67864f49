import { apiDocument } from '../../server/src/app/routes/routes.ts'

// What the generator reads of the OpenAPI document of the service.

/** A JSON Schema, as far as the document uses it. */
export interface Schema {
  $ref?: string
  title?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  format?: string
  description?: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

interface DocumentedOperation {
  tags: [string]
  summary: string
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

export interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** One operation of the service. */
export interface Operation {
  /** `PATCH /item/{id}`, relative to `/api`. */
  route: string
  method: string
  path: string
  /** The area whose module has the function: `item`, `finance/crm`. */
  area: string
  summary: string
  pathParameters: string[]
  query: Parameter[]
  /** The media type of the body, and its schema. */
  body: { media: string; schema: Schema } | undefined
  /** The media type and schema of the answer when the operation succeeds; undefined without a content. */
  answer: { media: string; schema: Schema } | undefined
  /** Whether it answers a page of a list, with a cursor to the next one. */
  paged: boolean
  /** Whether the caller can demand a version of the record. */
  matches: boolean
}

/** The document of the service, which is made from its table of routes without a database. */
export function readDocument(): Document {
  return JSON.parse(JSON.stringify(apiDocument('http://gantry.test')))
}

export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => operationOf(path, method.toUpperCase(), documented)),
  )
}

function operationOf(address: string, method: string, documented: DocumentedOperation): Operation {
  const path = address.replace(/^\/api/, '')
  const names = (place: Parameter['in']) =>
    documented.parameters.filter(each => each.in === place).map(each => each.name)
  const [body] = Object.entries(documented.requestBody?.content ?? {})
  return {
    route: `${method} ${path}`,
    method,
    path,
    area: documented.tags[0],
    summary: documented.summary,
    pathParameters: names('path'),
    query: documented.parameters.filter(each => each.in === 'query'),
    body: body && { media: body[0], schema: body[1].schema },
    answer: answerOf(documented),
    paged: names('query').includes('cursor'),
    matches: names('header').includes('If-Match'),
  }
}

/** The answer of the call that does what it is asked for. Where a dry run is answered alike, the schema names both. */
function answerOf({ responses }: DocumentedOperation): Operation['answer'] {
  const status = ['201', '202', '200'].find(each => responses[each]?.content && !isDryRun(responses[each].content))
  const [content] = Object.entries((status && responses[status]?.content) || {})
  return content && { media: content[0], schema: withoutDryRun(content[1].schema) }
}

const isDryRun = (content: Content) => Object.values(content).every(({ schema }) => schema.title === 'dry run')

function withoutDryRun(schema: Schema): Schema {
  const alternatives = schema.anyOf?.filter(each => each.title !== 'dry run')
  return alternatives?.length === 1 && alternatives[0] ? alternatives[0] : schema
}
