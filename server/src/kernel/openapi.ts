import type { Operation, Routes } from './operation.ts'
import type { Schema } from './shape.ts'

/** A route that needs no credential, as the document tells of it. */
export type OpenRoute = Pick<Operation, 'summary' | 'description' | 'query' | 'reply' | 'refusals'> & {
  body?: { schema: Schema; example: unknown }
}
export type OpenRoutes = Record<string, OpenRoute>

/** The OpenAPI 3.1 document, made from the very schemas that validate. */
export function openApi(routes: Routes, baseUrl: string, open: OpenRoutes = {}): Record<string, unknown> {
  const schemas: Record<string, Schema> = { Problem: problemSchema }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [route, operation] of Object.entries(routes)) {
    const [method = '', path = ''] = route.split(' ')
    const url = `/api${path.replace(/:(\w+)/g, '{$1}')}`
    paths[url] = { ...paths[url], [method.toLowerCase()]: describe(operation, method, path, schemas) }
  }
  for (const [route, operation] of Object.entries(open)) {
    const [method = '', path = ''] = route.split(' ')
    const url = `/api${path.replace(/:(\w+)/g, '{$1}')}`
    paths[url] = { ...paths[url], [method.toLowerCase()]: describeOpen(operation, method, path, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gantry',
      version: 'v1',
      description:
        'Ticketing, help desk, projects, resource planning and time tracking. Every record belongs to a tenant; the tenant is the one of the credential.',
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...new Set([...Object.keys(routes), ...Object.keys(open)].map(tagOf))].sort().map(name => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token of `/oauth/token`, or an API key (`gty_…`) itself.',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
    },
  }
}

function describe(
  operation: Operation,
  method: string,
  path: string,
  schemas: Record<string, Schema>,
): Record<string, unknown> {
  const { permission, reply, body, form, query = {} } = operation
  const writes = operation.mode !== 'read'
  const roles =
    permission.roles.length === 0 ? 'super admins only' : `${permission.roles.join(', ')}; super admins always`
  return {
    operationId: operationId(method, path),
    tags: [tagOf(`${method} ${path}`)],
    summary: operation.summary,
    description: `${operation.description}\n\nPermission \`${permission.name}\` (${roles}).`,
    'x-permission': permission.name,
    'x-roles': [...permission.roles],
    parameters: [...pathParameters(path), ...queryParameters(query), ...headerParameters(method, path, operation)],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: published(body.schema, schemas), example: body.example } },
          },
        }
      : {}),
    ...(form
      ? {
          requestBody: {
            required: true,
            content: { [form.media ?? 'multipart/form-data']: { schema: published(form.schema, schemas) } },
          },
        }
      : {}),
    responses: {
      [reply.status]: {
        description: reply.description,
        headers: writes
          ? {
              'Change-Set': {
                description: 'What this request changed belongs together under this id.',
                schema: { type: 'string' },
              },
            }
          : {},
        ...(reply.schema ? { content: contentOf(reply.schema, schemas) } : {}),
      },
      ...Object.fromEntries(
        Object.entries(operation.also ?? {}).map(([status, description]) => [
          status,
          // Another success with a body has the same body.
          {
            description,
            ...(reply.schema && /^20[01]$/.test(status) ? { content: contentOf(reply.schema, schemas) } : {}),
          },
        ]),
      ),
      ...problems(operation, method),
    },
  }
}

function describeOpen(
  { summary, description, query = {}, body, reply, refusals = [] }: OpenRoute,
  method: string,
  path: string,
  schemas: Record<string, Schema>,
): Record<string, unknown> {
  return {
    operationId: operationId(method, `/open${path}`),
    tags: [tagOf(`${method} ${path}`)],
    summary,
    description,
    security: [],
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: published(body.schema, schemas), example: body.example } },
          },
        }
      : {}),
    responses: {
      [reply.status]: {
        description: reply.description,
        ...(reply.schema ? { content: contentOf(reply.schema, schemas) } : {}),
      },
      ...refused([400, 429, 503, ...refusals, ...(body ? [413, 415] : [])]),
    },
  }
}

function contentOf(schema: Schema, schemas: Record<string, Schema>): Record<string, unknown> {
  return { [contentTypeOf(schema)]: { schema: published(schema, schemas) } }
}

function contentTypeOf(schema: Schema): string {
  return typeof schema.contentMediaType === 'string' ? schema.contentMediaType : 'application/json'
}

function operationId(method: string, path: string): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .map(step => (step.startsWith(':') ? `by-${step.slice(1)}` : step))
  return [method.toLowerCase(), ...words].join('-').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function tagOf(route: string): string {
  const [first = '', second = ''] = (route.split(' ')[1] ?? '').split('/').filter(Boolean)
  return ['admin', 'finance', 'docs', 'mail', 'insight'].includes(first) && second ? `${first}/${second}` : first
}

function pathParameters(path: string): unknown[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(query: Record<string, Schema>): unknown[] {
  return Object.entries(query).map(([name, { description, 'x-required': required, ...schema }]) => ({
    name,
    in: 'query',
    required: required === true,
    ...(description ? { description } : {}),
    schema,
  }))
}

function headerParameters(method: string, path: string, { mode, mustMatch = false }: Operation): unknown[] {
  const one = (name: string, description: string, required = false) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  })
  if (mode === 'read') return []
  return [
    {
      name: 'dryRun',
      in: 'query',
      required: false,
      description: 'Does everything as if for real, answers `{would, warnings}`, and stores nothing.',
      schema: { type: 'string', enum: ['true', 'false'] },
    },
    ...(method === 'POST'
      ? [one('Idempotency-Key', 'The same key and body again has no second effect: the first answer is repeated.')]
      : []),
    ...(/^(PUT|PATCH|DELETE)$/.test(method) && path !== ''
      ? [one('If-Match', 'The ETag the record was read with; 412 if it has changed since.', mustMatch)]
      : []),
  ]
}

const meanings: Record<number, string> = {
  400: 'Validation error; every fault is named in `Fields`.',
  401: 'No credential, or one that does not hold.',
  403: 'The permission is missing.',
  404: 'Absent, deleted, another tenant’s or out of sight.',
  409: 'Somebody else is at it.',
  412: 'The record has changed since it was read.',
  413: 'The body is too large.',
  415: 'The body is of another content type than this takes.',
  416: 'No such range.',
  422: 'Against a rule of the trade; where a property is to blame it is named in `Fields`.',
  428: '`If-Match` is required here.',
  429: 'Too many requests; `Retry-After` says when to come back.',
  503: 'Busy; nothing was done, try again shortly.',
}

function problems(operation: Operation, method: string): Record<string, unknown> {
  const statuses = new Set([400, 401, 403, 429, 503, ...(operation.refusals ?? [])])
  if (operation.body || operation.form) for (const status of [413, 415]) statuses.add(status)
  if (operation.mustMatch) statuses.add(428)
  if (method === 'POST') for (const status of [409, 422]) statuses.add(status)
  return refused([...statuses])
}

function refused(statuses: readonly number[]): Record<string, unknown> {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return Object.fromEntries(
    [...statuses].sort().map(status => [status, { description: meanings[status] ?? 'Refused.', content }]),
  )
}

/** A schema as the document shows it: kinds by reference, our own keywords translated or left out. */
function published(schema: Schema, schemas: Record<string, Schema>): Schema {
  if (typeof schema.title === 'string' && /^[A-Z]\w*$/.test(schema.title)) {
    const { title, ...rest } = schema
    schemas[title] ??= { title, ...published(rest, schemas) }
    return { $ref: `#/components/schemas/${title}` }
  }
  const shown: Schema & Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'nullable' || keyword === 'x-column' || keyword === 'x-mentions' || keyword.startsWith('~'))
      continue
    if (keyword === 'x-ref') shown.description ??= `The id of ${/^[AEIO]/.test(String(value)) ? 'an' : 'a'} ${value}.`
    else shown[keyword] = value
  }
  if (schema.nullable && typeof schema.type === 'string') shown.type = [schema.type, 'null']
  if (schema.properties)
    shown.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, each]) => [name, published(each, schemas)]),
    )
  if (schema.items) shown.items = published(schema.items, schemas)
  return shown
}

const problemSchema: Schema = {
  type: 'object',
  description: 'A refusal, as RFC 9457 draws it.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', description: 'A stable word for programs.' },
    traceId: { type: 'string' },
    Fields: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          Field: { type: 'string' },
          Code: { type: 'string' },
          Message: { type: 'string' },
          Pointer: { type: 'string' },
          Value: {},
        },
        required: ['Field', 'Code', 'Message', 'Pointer'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'traceId', 'Fields'],
}
