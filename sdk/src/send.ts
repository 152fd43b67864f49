import { problemOf } from './problem.ts'
import { delayBefore, mayPass, pause } from './retry.ts'
import type { CallOptions, Gantry, QueryValue, RawBody } from './types.ts'

/** A request as the operations see it. */
export interface Request extends CallOptions {
  /** `PATCH /item/{id}` */
  route: string
  path?: Record<string, string> | undefined
  query?: Record<string, QueryValue> | undefined
  body?: unknown
  accept?: string | undefined
}

/** Makes the request of a call. The types of an input depend on its route; what is sent has one shape for all. */
export function requestOf(route: string, input: object, more: Partial<Request> = {}): Request {
  return { ...input, route, ...more }
}

/** Sends a request, again where that is safe and may help, and returns a successful response. */
export async function send(gantry: Gantry, request: Request): Promise<Response> {
  const [method = '', template = ''] = request.route.split(' ')
  const address = `${gantry.url}/api${filled(template, request.path ?? {})}${queryOf(request.query ?? {})}`
  const { content, type } = contentOf(request.body)
  const headers = { ...headersOf(method, request), ...(type ? { 'content-type': type } : {}) }
  const repeatable = isRepeatable(method, request)
  let refused = false
  for (let attempt = 0; ; attempt++) {
    const credential = await gantry.auth.headers(refused, request.signal)
    const last = attempt >= gantry.retries || !repeatable
    let response: Response
    try {
      response = await gantry.fetch(address, {
        method,
        headers: { ...headers, ...credential, ...request.headers },
        ...(content === undefined ? {} : { body: content }),
        ...(gantry.auth.cookies ? { credentials: 'include' as const } : {}),
        ...(request.signal ? { signal: request.signal } : {}),
        // A stream is sent while it is read; the standard demands that this is said.
        ...(content instanceof ReadableStream ? { duplex: 'half' } : {}),
      })
    } catch (error) {
      if (last || request.signal?.aborted) throw error
      await pause(delayBefore(attempt, null), request.signal)
      continue
    }
    if (response.ok || response.status === 304) return response
    const problem = await problemOf(response)
    // A credential that has ended is renewed once; the service has done nothing.
    if (problem.status === 401 && gantry.auth.renews && !refused && !(content instanceof ReadableStream)) {
      refused = true
      continue
    }
    if (last || !mayPass(problem.status, problem.code)) throw problem
    await pause(delayBefore(attempt, response.headers.get('retry-after')), request.signal)
  }
}

/** `/item/{id}` → `/item/DESK-12` */
function filled(template: string, path: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name]
    if (!value) throw new TypeError(`${template} needs ${name}`)
    return encodeURIComponent(value)
  })
}

function queryOf(query: Record<string, QueryValue>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.append(name, textOf(value))
  return parameters.size === 0 ? '' : `?${parameters}`
}

function textOf(value: Exclude<QueryValue, null | undefined>): string {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.join(',') : String(value)
}

function contentOf(body: unknown): { content?: RawBody | FormData; type?: string } {
  if (body === undefined) return {}
  if (body instanceof FormData) return { content: body } // fetch adds the boundary
  if (typeof body === 'string' || body instanceof Blob || body instanceof Uint8Array || body instanceof ReadableStream)
    return { content: body as RawBody, type: 'application/x-ndjson' }
  return { content: JSON.stringify(body), type: 'application/json' }
}

function headersOf(method: string, request: Request): Record<string, string> {
  return {
    accept: request.accept ?? 'application/json',
    ...(request.ifMatch === undefined ? {} : { 'if-match': request.ifMatch }),
    ...(method === 'POST' && needsKey(request) ? { 'idempotency-key': request.idempotencyKey ?? newKey() } : {}),
  }
}

/** `crypto.randomUUID` is missing on pages of plain http, except those of localhost. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/**
 * A key makes a repeated POST have one effect, and costs the service a third of its write rate. Rows with an external id
 * have one effect without it.
 */
function needsKey({ route, body, idempotencyKey }: Request): boolean {
  return idempotencyKey !== undefined || !(route.endsWith('/bulk') && everyRowHasExternalId(body))
}

function everyRowHasExternalId(body: unknown): boolean {
  const rows = Array.isArray(body) ? body : []
  return rows.length > 0 && rows.every(row => row?.Meta?.externalId !== undefined)
}

/** A PATCH that names no version could take back what somebody else wrote in between. */
function isRepeatable(method: string, { body, ifMatch }: Request): boolean {
  if (body instanceof ReadableStream) return false
  return method !== 'PATCH' || ifMatch !== undefined
}
