import type { FastifyRequest } from 'fastify'
import type { Input, Operation, Received } from '../operation.ts'
import type { Expect } from '../record/record.ts'
import { fault, Refusal } from '../refusal.ts'
import { notJson } from './problem.ts'

/** Reads and validates the input of an operation; `received` is the form that came instead of a body. */
export function readInput(
  operation: Operation,
  request: FastifyRequest,
  query: Record<string, unknown>,
  received: Received | undefined,
): Input {
  const raw = received ? received.identity : request.body
  if (operation.body && raw === undefined)
    throw new Refusal(400, 'validation', 'a JSON body is expected', {
      faults: [fault([], 'required', 'a JSON body is expected')],
    })
  if (header(request, 'content-type').startsWith('application/x-ndjson') && !operation.body?.lines && !operation.form)
    throw notJson()
  if (operation.mustMatch && header(request, 'if-match') === '')
    throw new Refusal(428, 'if-match-required', 'If-Match must contain the ETag of the version that was read')
  const path = request.url.split('?', 1)[0] ?? ''
  return {
    path,
    params: pathParameters(request),
    query,
    body: received ? received.body : operation.body?.read(raw, { strict: isStrict(request) }),
    raw,
    expect: readIfMatch(header(request, 'if-match')),
    headers: request.headers,
  }
}

/** The parameters in the path; the web server knows no type of them. */
export function pathParameters(request: FastifyRequest): Record<string, string> {
  return (request.params ?? {}) as Record<string, string>
}

/** Whether the caller wants refused what would be kept without effect. */
export function isStrict(request: FastifyRequest): boolean {
  return /\bhandling=strict\b/.test(header(request, 'prefer'))
}

function readIfMatch(text: string): Expect {
  if (text === '' || text.trim() === '*') return undefined
  return [...text.matchAll(/"v(\d{1,9})"/g)].map(match => Number(match[1]))
}

export function header(request: FastifyRequest, key: string): string {
  const value = request.headers[key]
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}
