import type { Operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'

/** The refusals that an operation can answer with. */
export function problems(operation: Operation, method: string): Record<string, unknown> {
  const statuses = new Set([400, 401, 403, 429, 503, ...(operation.refusals ?? [])])
  if (operation.body || operation.form) for (const status of [413, 415]) statuses.add(status)
  if (operation.mustMatch) statuses.add(428)
  if (method === 'POST') for (const status of [409, 422]) statuses.add(status)
  return problemResponses([...statuses])
}

export function problemResponses(statuses: readonly number[]): Record<string, unknown> {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return Object.fromEntries(
    [...statuses].sort().map(status => [status, { description: meanings[status] ?? 'Refused.', content }]),
  )
}

const meanings: Record<number, string> = {
  400: 'The request is invalid; `Fields` lists every fault.',
  401: 'The credential is missing or not valid.',
  403: 'The caller lacks the permission.',
  404: 'The record does not exist, is deleted, belongs to another tenant or is not visible to the caller.',
  409: 'The request conflicts with the current state of the record, or with another request.',
  412: 'The record has changed since it was read.',
  413: 'The body is too large.',
  415: 'The content type of the body is not supported.',
  416: 'The requested range is outside the content.',
  422: 'The request is well formed but breaks a rule; `Fields` names the property, if there is one.',
  428: '`If-Match` is required.',
  429: 'Too many requests; `Retry-After` is the number of seconds to wait.',
  503: 'The service is busy and has done nothing; try again shortly.',
}

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
