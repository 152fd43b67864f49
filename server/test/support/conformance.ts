import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { unauthenticatedRoutes } from '../../src/app/unauthenticated-routes.ts'
import { routes } from '../../src/app.ts'
import { formats } from '../../src/kernel/schema/formats.ts'
import { openApi } from '../../src/platform/openapi/openapi.ts'
import type { Answer } from './answer.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into, part by part
type Json = any

/** The OpenAPI document that the service publishes. */
export const document: Json = JSON.parse(JSON.stringify(openApi(routes, 'http://gantry.test', unauthenticatedRoutes)))

export const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
for (const [format, { check }] of Object.entries(formats)) ajv.addFormat(format, check)
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
ajv.addFormat('binary', true)
ajv.addSchema(document, 'openapi')

interface Exchange {
  method: string
  url: string
  sent: Record<string, string>
  answer: Answer
}

/** The validated answers, for a suite that measures its coverage: `GET /api/clock 200`. */
export const seen = new Map<string, number>()

/** Throws if an answer does not match the document. */
export function conforms(exchange: Exchange): void {
  const faults = findFaults(exchange)
  if (faults.length > 0) {
    const { method, url, answer } = exchange
    const shown = JSON.stringify(answer.body)?.slice(0, 500)
    throw new Error(
      `${method} ${new URL(url).pathname} answered ${answer.status} ${shown}\nagainst the document: ${faults.join('; ')}`,
    )
  }
}

export function findFaults({ method, url, sent, answer }: Exchange): string[] {
  const { pathname, searchParams } = new URL(url)
  const found = describedAt(pathname.replace(/(.)\/$/, '$1'))
  const operation = found?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
  const { status, body, headers } = answer
  if (status >= 400) return problemFaults(answer, operation)
  if (!operation) return []
  seen.set(`${operation.operationId} ${status}`, (seen.get(`${operation.operationId} ${status}`) ?? 0) + 1)
  const success = Object.keys(operation.responses).find(each => each.startsWith('2')) ?? ''
  const dryRun = searchParams.get('dryRun') === 'true' && 'x-permission' in operation && method !== 'GET'
  const brief = /\breturn=minimal\b/.test(sent.prefer ?? '') && method !== 'GET' && 'x-permission' in operation
  if (brief) return body === undefined ? [] : ['a minimal answer has a body']
  if (dryRun && body && 'would' in body) {
    const recordSchema = operation.responses[success].content?.['application/json']?.schema
    return Array.isArray(body.warnings) ? schemaFaults(recordSchema, body.would) : ['warnings are missing']
  }
  if (status === 304 || method === 'HEAD') return []
  const described = operation.responses[status]
  if (!described) return [`the status ${status} is not described`]
  const [contentType] = Object.keys(described.content ?? {})
  if (contentType === undefined) return body === undefined || status === 206 ? [] : ['an undescribed body']
  if (contentType !== 'application/json') return []
  if (!/^application\/json\b/.test(headers.get('content-type') ?? '')) return ['the content type is not JSON']
  const faults = schemaFaults(described.content[contentType].schema, body)
  // A request for some properties only does not return the required others.
  return searchParams.has('fields') ? faults.filter(each => !/^\/\d+ must have required/.test(each)) : faults
}

const problemMembers = ['type', 'title', 'status', 'detail', 'instance', 'code', 'traceId', 'Fields']

/** Lists what is missing from a problem document. */
export function problemFaults({ status, body, headers }: Answer, operation?: Json): string[] {
  const faults: string[] = []
  if (!/^application\/problem\+json\b/.test(headers.get('content-type') ?? ''))
    faults.push('the content type is not problem+json')
  if (body === null || typeof body !== 'object') return [...faults, 'the problem is not an object']
  for (const each of problemMembers) if (!(each in body)) faults.push(`the problem has no ${each}`)
  if (body.status !== status) faults.push('the problem tells another status')
  faults.push(...schemaFaults({ $ref: '#/components/schemas/Problem' }, body))
  for (const each of Array.isArray(body.Fields) ? body.Fields : []) {
    if (typeof each.Pointer === 'string' && !/^(\/([^~]|~[01])*)*$/s.test(each.Pointer))
      faults.push(`${each.Pointer} is no pointer`)
    if (each.Code === '' || each.Message === '') faults.push('an entry of Fields says nothing')
  }
  if (status === 401 && !headers.get('www-authenticate')) faults.push('401 without WWW-Authenticate')
  if (status === 405 && !headers.get('allow')) faults.push('405 without Allow')
  if ((status === 429 || status === 503) && !headers.get('retry-after')) faults.push(`${status} without Retry-After`)
  if (operation && status < 500 && status !== 405 && !operation.responses[status])
    faults.push(`the refusal ${status} is not described`)
  return faults
}

const compiled = new Map<Json, ValidateFunction>()

/** Describes how a value differs from a schema of the document. */
export function schemaFaults(schema: Json, value: unknown): string[] {
  if (schema === undefined) return []
  const key = schema.$ref ?? schema
  let validate = compiled.get(key)
  if (!validate) {
    validate = ajv.compile(rooted(schema))
    compiled.set(key, validate)
  }
  if (validate(value)) return []
  return (validate.errors ?? []).map(each => `${each.instancePath || '/'} ${each.message}`)
}

/** Makes references absolute, so that a part of the document can be compiled by itself. */
function rooted(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(rooted)
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace(/^#/, 'openapi#') : rooted(value),
    ]),
  )
}

const templates = Object.keys(document.paths).map(path => ({
  path,
  steps: path.split('/'),
  fixed: path.split('/').filter(step => !step.startsWith('{')).length,
}))

/** Finds the path item of a URL; a fixed segment takes precedence over a parameter. */
export function describedAt(pathname: string): Json | undefined {
  const steps = pathname.split('/')
  const fits = templates.filter(
    each =>
      each.steps.length === steps.length && each.steps.every((step, i) => step.startsWith('{') || step === steps[i]),
  )
  const [best] = fits.sort((a, b) => b.fixed - a.fixed)
  return best && document.paths[best.path]
}
