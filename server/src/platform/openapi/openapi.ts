import type { Operation, Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { exampleOf } from './example.ts'
import { pathParameters, queryParameters, writeParameters } from './openapi-parameters.ts'
import { problemResponses, problemSchema, problems } from './openapi-problems.ts'
import { type Components, contentOf, replyContent } from './openapi-schema.ts'

/** The description of a route that needs no credential. */
type OpenRoute = Pick<Operation, 'summary' | 'description' | 'query' | 'reply' | 'refusals'> & {
  body?: { schema: Schema; example: unknown }
}
export type OpenRoutes = Record<string, OpenRoute>

/** Makes the OpenAPI 3.1 document from the schemas that also validate. */
export function openApi(routes: Routes, baseUrl: string, open: OpenRoutes = {}): Record<string, unknown> {
  const schemas: Components = { Problem: problemSchema }
  const paths: Record<string, Record<string, unknown>> = {}
  const add = (route: string, describe: (method: string, path: string) => Record<string, unknown>) => {
    const [method = '', path = ''] = route.split(' ')
    const url = `/api${path.replace(/:(\w+)/g, '{$1}')}`
    paths[url] = { ...paths[url], [method.toLowerCase()]: describe(method, path) }
  }
  for (const [route, operation] of Object.entries(routes))
    add(route, (method, path) => describeOperation(operation, method, path, schemas))
  for (const [route, operation] of Object.entries(open))
    add(route, (method, path) => describeOpen(operation, method, path, schemas))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gantry',
      version: 'v1',
      description:
        'Ticketing, help desk, projects, resource planning and time tracking. Every record belongs to a tenant; the credential determines the tenant.',
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
          description: 'An access token from `/oauth/token`, or an API key (`gty_…`).',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
    },
  }
}

const changeSetHeader = {
  description: 'The id of the change set: all changes of this request have it.',
  schema: { type: 'string' },
}

function describeOperation(
  operation: Operation,
  method: string,
  path: string,
  schemas: Components,
): Record<string, unknown> {
  const { permission, reply, body, form, query = {} } = operation
  const roles =
    permission.roles.length === 0 ? 'super admins only' : `${permission.roles.join(', ')}; super admins always`
  return {
    operationId: operationId(method, path),
    tags: [tagOf(`${method} ${path}`)],
    summary: operation.summary,
    description: `${operation.description}\n\nPermission \`${permission.name}\` (${roles}).`,
    'x-permission': permission.name,
    'x-roles': [...permission.roles],
    parameters: [...pathParameters(path), ...queryParameters(query), ...writeParameters(method, path, operation)],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: contentOf(body.schema, schemas, 'application/json', body.example ?? exampleOf(body.schema)),
          },
        }
      : {}),
    ...(form
      ? {
          requestBody: {
            required: true,
            content: contentOf(form.schema, schemas, form.media ?? 'multipart/form-data'),
          },
        }
      : {}),
    responses: {
      [reply.status]: {
        description: reply.description,
        headers: operation.mode === 'read' ? {} : { 'Change-Set': changeSetHeader },
        ...(reply.schema ? { content: replyContent(reply.schema, schemas) } : {}),
      },
      ...Object.fromEntries(
        Object.entries(operation.also ?? {}).map(([status, description]) => [
          status,
          // The other successes that have a body have the same one.
          {
            description,
            ...(reply.schema && /^20[01]$/.test(status) ? { content: replyContent(reply.schema, schemas) } : {}),
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
  schemas: Components,
): Record<string, unknown> {
  return {
    operationId: operationId(method, `/open${path}`),
    tags: [tagOf(`${method} ${path}`)],
    summary,
    description,
    security: [],
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body
      ? { requestBody: { required: true, content: contentOf(body.schema, schemas, 'application/json', body.example) } }
      : {}),
    responses: {
      [reply.status]: {
        description: reply.description,
        ...(reply.schema ? { content: replyContent(reply.schema, schemas) } : {}),
      },
      ...problemResponses([400, 429, 503, ...refusals, ...(body ? [413, 415] : [])]),
    },
  }
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
