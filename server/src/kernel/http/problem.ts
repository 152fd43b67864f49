import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '../id.ts'
import { dataRefusal } from '../postgres/data-refusal.ts'
import { isConnectionFault, sqlState } from '../postgres/sql-state.ts'
import { NotFound, Refusal, Unavailable } from '../refusal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The pattern of the address of an operation; empty for other addresses. */
    pattern: string
  }
}

export const patternOf = ({ pattern, routeOptions }: FastifyRequest) => pattern || (routeOptions?.url ?? '')

interface ProblemOptions {
  baseUrl: () => string
  log: (line: Record<string, unknown>) => void
}

/** Security headers of every reply. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Sends every refusal as a problem body (RFC 9457); an unexpected error becomes a 500 that reveals nothing about it. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, options: ProblemOptions) {
  const refusal = toRefusal(error)
  if (refusal.status >= 500 && !(error instanceof Refusal)) {
    options.log({
      level: 'error',
      requestId: request.id,
      route: `${request.method} ${patternOf(request)}`,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
  for (const each of Object.keys(reply.getHeaders()))
    if (['etag', 'location', 'content-length', 'content-type', 'content-disposition'].includes(each))
      reply.removeHeader(each)
  return reply
    .code(refusal.status)
    .headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', ...refusal.headers })
    .type('application/problem+json; charset=utf-8')
    .send(problemText(refusal, request.url.split('?', 1)[0] ?? '', request.id, options))
}

function problemText(refusal: Refusal, instance: string, traceId: string, { baseUrl }: ProblemOptions): string {
  return JSON.stringify({
    type: `${baseUrl()}/problems/${refusal.code}`,
    title: titles[refusal.status] ?? 'Refused',
    status: refusal.status,
    detail: refusal.message,
    instance,
    code: refusal.code,
    traceId,
    Fields: refusal.faults,
    ...refusal.extra,
  })
}

/** Answers what is not valid HTTP with a problem body as well, and closes the connection. */
export function refuseUnreadable(error: Error, socket: Socket, options: ProblemOptions): void {
  const reason = sqlState(error)
  if (reason === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal =
    reason === 'HPE_HEADER_OVERFLOW'
      ? new Refusal(431, 'headers-too-large', 'the headers are larger than this service accepts')
      : reason === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new Refusal(408, 'too-slow', 'the request did not arrive in time')
        : new Refusal(400, 'malformed', 'the request is malformed')
  const traceId = newId()
  const body = problemText(refusal, '', traceId, options)
  const headers = Object.entries({
    ...securityHeaders,
    'x-request-id': traceId,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${refusal.status} ${phrases[refusal.status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`)
}

// Not from `node:http`: an import of that module as such loads the HTTP client of Node, too, which takes 6 MiB and time of each start.
const phrases: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

export function notJson(): Refusal {
  return new Refusal(415, 'unsupported-media-type', 'the body must be JSON: application/json or application/*+json')
}

const titles: Record<number, string> = {
  400: 'Validation failed',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Too slow',
  409: 'Conflict',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Unsupported media type',
  416: 'No such range',
  422: 'Against a rule',
  428: 'If-Match is required',
  429: 'Too many requests',
  431: 'Headers too large',
  460: 'Checksum mismatch',
  500: 'Internal error',
  503: 'Not available',
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const ofData = dataRefusal(error)
  if (ofData) return ofData
  const state = sqlState(error)
  if (['53100', 'ENOSPC', 'EDQUOT'].includes(state))
    return new Refusal(503, 'storage-full', 'the disk of the service is full: nothing was stored', {
      headers: { 'retry-after': '60' },
    })
  if (isConnectionFault(error) || state === '57014' || state === '55P03' || state === '40P01' || state === '40001')
    return new Unavailable()
  switch (state) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
      return new Refusal(413, 'too-large', 'the body is larger than this address accepts')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return notJson()
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new Refusal(400, 'malformed-json', 'the body is empty, and JSON is expected')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal(400, 'malformed', 'the body is not as long as its Content-Length says')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new NotFound('address')
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return new Refusal(status, 'malformed', 'the request is malformed')
  if (status === 503) return new Unavailable()
  return new Refusal(500, 'internal', 'an internal error occurred; the log has it under the trace id')
}
