import type { Operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { headersOf, optionalHeaders, ownHeaders } from './openapi-headers.ts'

/** The refusals that an operation can answer with. */
export function problems(operation: Operation, method: string): Record<string, unknown> {
  const statuses = new Set([400, 401, 403, 429, 503, ...(operation.refusals ?? [])])
  if (operation.body || operation.form) for (const status of [413, 415]) statuses.add(status)
  if (operation.mustMatch) statuses.add(428)
  // A tenant can require that its lists are paged.
  if (operation.filters) statuses.add(422)
  if (method === 'POST') for (const status of [409, 422]) statuses.add(status)
  if (!operation.constantHeaders) return problemResponses([...statuses])
  const headers = optionalHeaders(ownHeaders(operation))
  return Object.fromEntries([...statuses].sort().map(status => [status, problemResponse(status, {}, headers)]))
}

/** Refers to the refusals with these statuses; `pages` are those that a browser gets as a page. */
export function problemResponses(statuses: readonly number[], pages: readonly number[] = []): Record<string, unknown> {
  return Object.fromEntries(
    [...statuses]
      .sort()
      .map(status => [
        status,
        pages.includes(status)
          ? problemResponse(status, { 'text/html': { schema: { type: 'string' } } })
          : { $ref: `#/components/responses/Problem${status}` },
      ]),
  )
}

function problemResponse(
  status: number,
  more: Record<string, unknown> = {},
  ownHeaders: Record<string, unknown> = {},
): Record<string, unknown> {
  const shown = { ...ownHeaders, ...headers[status] }
  return {
    description: meanings[status],
    ...(Object.keys(shown).length > 0 ? { headers: shown } : {}),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } }, ...more },
  }
}

const headers: Record<number, Record<string, unknown>> = {
  401: headersOf(['WWW-Authenticate']),
  409: optionalHeaders(['Retry-After']),
  412: headersOf(['ETag']),
  416: headersOf(['Content-Range']),
  429: headersOf(['Retry-After']),
  503: headersOf(['Retry-After']),
}

const meanings: Record<number, string> = {
  400: 'The request is invalid; `Fields` lists every fault.',
  401: 'The credential is missing or not valid.',
  403: 'The caller lacks the permission.',
  404: 'The record does not exist, is deleted, belongs to another tenant or is not visible to the caller.',
  409: 'The request conflicts with the current state of the record, or with another request.',
  412: 'The record has changed since it was read.',
  413: 'The body is too large.',
  415: 'The content type of the body, or the kind of the file, is not supported.',
  416: 'The requested range is outside the content.',
  422: 'The request is well formed but breaks a rule; `Fields` names the property, if there is one.',
  428: '`If-Match` is required.',
  429: 'Too many requests; `Retry-After` is the number of seconds to wait.',
  460: 'The bytes do not have the checksum of `Upload-Checksum`; none of them was stored.',
  503: 'The service is busy and has done nothing; try again shortly.',
}

/** All refusals, by name. */
export const problemComponents: Record<string, unknown> = Object.fromEntries(
  Object.keys(meanings).map(status => [`Problem${status}`, problemResponse(Number(status))]),
)

export const problemSchema: Schema = {
  type: 'object',
  description: 'A problem as defined by RFC 9457.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', description: 'A stable code for programs.' },
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
