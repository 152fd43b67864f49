import type { Operation, Routes } from '../../kernel/operation.ts'
import { commonNames, type Schema } from '../../kernel/schema/shape.ts'
import { exampleOf } from './example.ts'
import { headers } from './openapi-headers.ts'
import { commonParameters, headerParameters, pathParameters, queryParameters } from './openapi-parameters.ts'
import { problemComponents, problemResponses, problemSchema, problems } from './openapi-problems.ts'
import { replies } from './openapi-replies.ts'
import { type Components, replyContent, requestContent } from './openapi-schema.ts'

/** The description of a route that needs no credential. */
type OpenRoute = Pick<Operation, 'summary' | 'description' | 'query' | 'reply' | 'refusals'> & {
  body?: { schema: Schema; example: unknown }
  /** The refusals that a caller who accepts HTML gets as a page. */
  pages?: readonly number[]
}
export type OpenRoutes = Record<string, OpenRoute>

/** Makes the OpenAPI 3.1 document from the schemas that also validate. */
export function openApi(
  routes: Routes,
  baseUrl: string,
  { open = {}, hidingKinds = [] }: { open?: OpenRoutes; hidingKinds?: readonly string[] } = {},
): Record<string, unknown> {
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
  for (const schema of Object.values(schemas))
    if (hidingKinds.includes(String(schema.properties?.entity?.const))) relaxRequired(schema)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gantry',
      version: 'v1',
      description:
        'Ticketing, help desk, projects, resource planning and time tracking. Every record belongs to a tenant; the credential determines the tenant.',
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }, { apiKey: [] }, { webSession: [] }],
    tags: [...new Set([...Object.keys(routes), ...Object.keys(open)].map(tagOf))].sort().map(name => ({ name })),
    paths,
    components: {
      schemas,
      responses: problemComponents,
      headers,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token from `/oauth/token`, or an API key (`gty_…`).',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        webSession: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-gantry-web',
          description:
            'The cookie of the web app, for its own pages only: `Sec-Fetch-Site`, where sent, must be `same-origin`, and writes need our `Origin` and the header `X-Gantry: web`. Without TLS its name is `gantry-web`.',
        },
      },
    },
  }
}

/** Every property of these records, except those that all records have, can be hidden from a caller, and is absent then. */
function relaxRequired(schema: Schema): void {
  schema.required = schema.required?.filter(name => commonNames.some(each => each === name))
}

function describeOperation(
  operation: Operation,
  method: string,
  path: string,
  schemas: Components,
): Record<string, unknown> {
  const { permission, body, form, query = {} } = operation
  const roles =
    permission.roles.length === 0 ? 'super admins only' : `${permission.roles.join(', ')}; super admins always`
  return {
    operationId: operationId(method, path),
    tags: [tagOf(`${method} ${path}`)],
    summary: operation.summary,
    description: `${operation.description}\n\nPermission \`${permission.name}\` (${roles}).`,
    'x-permission': permission.name,
    'x-roles': [...permission.roles],
    parameters: [
      ...pathParameters(path, operation.params),
      ...queryParameters(query),
      ...headerParameters(operation.headers),
      ...commonParameters(method, path, operation),
    ],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: requestContent(body.schema, schemas, 'application/json', body.example ?? exampleOf(body.schema)),
          },
        }
      : {}),
    ...(form
      ? {
          requestBody: {
            required: !form.optional,
            content: requestContent(form.schema, schemas, form.media ?? 'multipart/form-data'),
          },
        }
      : {}),
    responses: {
      ...replies(operation, method, schemas),
      ...problems(operation, method),
    },
  }
}

const isOperation = (route: OpenRoute | Operation): route is Operation => 'run' in route

function describeOpen(route: OpenRoute, method: string, path: string, schemas: Components): Record<string, unknown> {
  const { summary, description, query = {}, body, reply, refusals = [], pages = [] } = route
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
            content: requestContent(body.schema, schemas, 'application/json', body.example),
          },
        }
      : {}),
    responses: {
      ...(isOperation(route)
        ? replies(route, method, schemas)
        : {
            [reply.status]: {
              description: reply.description,
              ...(reply.schema ? { content: replyContent(reply.schema, schemas) } : {}),
            },
          }),
      ...problemResponses([400, 429, 503, ...refusals, ...(body ? [413, 415] : [])], pages),
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
