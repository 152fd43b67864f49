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

export const problemSchema: Schema = {
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
