import type { Answer } from '../answer.ts'
import { describedAt, type Json, resolved } from './document.ts'
import { headerFaults } from './header-faults.ts'
import { problemFaults } from './problem-faults.ts'
import { schemaFaults } from './schema-faults.ts'

interface Exchange {
  method: string
  url: string
  sent: Record<string, string>
  /** The body of the request. */
  body?: unknown
  answer: Answer
}

/** Throws if an answer does not match the document. */
export function conforms(exchange: Exchange): void {
  const faults = findFaults(exchange)
  if (faults.length === 0) return
  const { method, url, answer } = exchange
  const shown = JSON.stringify(answer.body)?.slice(0, 500)
  throw new Error(
    `${method} ${new URL(url).pathname} answered ${answer.status} ${shown}\nagainst the document: ${faults.join('; ')}`,
  )
}

/**
 * Compares an answer with what the document says about this operation and exactly this status: headers, media type and
 * body. Other addresses below `/api` only have to refuse with a problem document; pages and OAuth have forms of their own.
 */
export function findFaults(exchange: Exchange): string[] {
  const { method, url, answer } = exchange
  const { pathname, searchParams } = new URL(url)
  if (!pathname.startsWith('/api/')) return []
  const { status, headers } = answer
  const isHead = method === 'HEAD'
  const found = describedAt(pathname.replace(/(.)\/$/, '$1'))
  const operation = found?.[isHead ? 'get' : method.toLowerCase()]
  const described = resolved(operation?.responses[status])
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const isPage = type === 'text/html' && described?.content?.[type] !== undefined
  const faults = status >= 400 && !isHead && !isPage ? problemFaults(answer) : []
  if (!operation) {
    // Another method of the same address is refused.
    if (found && status < 400) faults.push(`${method} is not described and answers ${status}`)
    if (status === 405 && !headers.get('allow')) faults.push('405 without Allow')
    return faults
  }
  if (!described) return [...faults, `the status ${status} is not described`]
  faults.push(...headerFaults(described, headers))
  if (!isHead) faults.push(...bodyFaults(described, exchange, searchParams))
  return faults
}

function bodyFaults(
  { content = {} }: Json,
  { sent, answer, method, body: given }: Exchange,
  query: URLSearchParams,
): string[] {
  const { status, body, headers } = answer
  const isMinimal = headers.has('preference-applied') && /\breturn=minimal\b/.test(sent.prefer ?? '')
  if (isMinimal) return body === undefined ? [] : ['a minimal answer has a body']
  // The document describes the integers, which are codes.
  if (headers.get('preference-applied') === 'codes=names') return []
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const types = Object.keys(content)
  if (types.length === 0) return body === undefined ? [] : ['a body is not described']
  if (!(type in content) && !('*/*' in content)) return [`the media type ${type} is not described`]
  const { schema } = content[type] ?? content['*/*']
  if (!/[/+]json$/.test(type)) return []
  const isSparse = schema.items && (query.has('fields') || (typeof given === 'string' && given.includes('"fields"')))
  const dryRun = query.get('dryRun') === 'true' && status === 200 && method !== 'GET'
  return schemaFaults(isSparse ? withoutRequired(schema) : branchOf(schema, dryRun), body)
}

const partial = new Map<Json, Json>()

/** The schema of a list with `fields` in the query or in the body: the records have the requested properties only. */
function withoutRequired(schema: Json): Json {
  const { required: _, ...item } = resolved(schema.items)
  const list = partial.get(schema) ?? { ...schema, items: item }
  partial.set(schema, list)
  return list
}

/** Of a reply that a dry run answers in another form than the write itself: the form that was asked for. */
function branchOf(schema: Json, dryRun: boolean): Json {
  if (!schema?.anyOf?.some((each: Json) => each.title === 'dry run')) return schema
  return schema.anyOf.find((each: Json) => (each.title === 'dry run') === dryRun)
}
