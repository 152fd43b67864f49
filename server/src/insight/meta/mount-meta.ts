import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Caller, maySomewhere } from '../../kernel/access.ts'
import { queryReader } from '../../kernel/http/query.ts'
import { header } from '../../kernel/http/request-input.ts'
import { allKinds } from '../../kernel/kinds.ts'
import type { Routes } from '../../kernel/operation.ts'
import { defaultStrangersPerDay } from '../../mail/strangers.ts'
import { maxDepth } from '../../platform/requests/json.ts'
import type { Settings } from '../../platform/settings.ts'

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
)

interface Options {
  authenticate: (request: FastifyRequest) => Promise<Caller>
  settings: Pick<Settings, 'bodyLimit' | 'fileLimit' | 'rateLimit'>
  routes: Routes
}

/**
 * The description of the service and its limits. It is mounted as a raw route, because anonymous callers get the name
 * only and the operator sets the limits.
 */
export function mountMeta(app: FastifyInstance, { authenticate, settings, routes }: Options): void {
  const limits = limitsOf(settings, routes)
  app.get<{ Querystring: Record<string, unknown> }>('/api/meta', async request => {
    readNoQuery(request.query)
    const known = header(request, 'authorization') !== '' || header(request, 'x-api-key') !== ''
    if (!known) return { name: 'Gantry' }
    const caller = await authenticate(request)
    const entities = allKinds()
      .filter(each => maySomewhere(caller, each.permissions.read))
      .map(({ entity }) => ({ entity, schema: `/api/meta/entity/${entity}` }))
      .sort((a, b) => (a.entity < b.entity ? -1 : 1))
    return { name: 'Gantry', version, build: `node ${process.versions.node}`, openapi: '/openapi/v1.json', entities }
  })
  app.get<{ Querystring: Record<string, unknown> }>('/api/meta/limits', async request => {
    readNoQuery(request.query)
    await authenticate(request)
    return limits
  })
}

const readNoQuery = queryReader({ mode: 'read' })

/** The limits that are enforced: from the operator’s settings and the operations’ own declarations. */
function limitsOf({ bodyLimit, fileLimit, rateLimit }: Options['settings'], routes: Routes) {
  const larger = Object.entries(routes).flatMap(([route, { body }]) =>
    body?.limit ? [[route.replace(' ', ' /api'), body.limit] as const] : [],
  )
  const pages = Object.values(routes).map(({ query }) => Number(query?.limit?.maximum ?? 0))
  return {
    bodyBytes: bodyLimit,
    bodyBytesOf: Object.fromEntries(larger),
    fileBytes: fileLimit,
    jsonDepth: maxDepth,
    pageSize: Math.max(...pages),
    requestsPerMinute: rateLimit,
    strangerMailsPerDay: defaultStrangersPerDay,
  }
}
