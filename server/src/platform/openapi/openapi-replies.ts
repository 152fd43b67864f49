import type { Operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { hasVersion, replyHeaders } from './openapi-headers.ts'
import { type Components, replyContent } from './openapi-schema.ts'

/** An operation whose answer has further formats beside JSON: their media types. */
export interface OperationInFormats extends Operation {
  formats: readonly string[]
}

const isInFormats = (operation: Operation): operation is OperationInFormats => 'formats' in operation

interface Response {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, unknown>
}

/** The successful replies of an operation, by status. */
export function replies(operation: Operation, method: string, schemas: Components): Record<string, Response> {
  const { reply, also = {}, mode } = operation
  const others = isInFormats(operation) ? operation.formats : []
  const texts = Object.fromEntries(others.map(type => [type, { schema: { type: 'string' } }]))
  const content = reply.schema ? { content: { ...replyContent(reply.schema, schemas), ...texts } } : {}
  const responses: Record<string, Response> = {
    [reply.status]: {
      description: reply.description,
      headers: replyHeaders(operation, method, reply.status),
      ...content,
    },
  }
  for (const [status, description] of Object.entries(also))
    responses[status] = {
      description,
      headers: replyHeaders(operation, method, Number(status)),
      // The other successes that have a body have the same one.
      ...(/^20[0126]$/.test(status) ? content : {}),
    }
  if (method === 'GET' && hasVersion(operation))
    responses['304'] = {
      description: 'The version in `If-None-Match` is current.',
      headers: replyHeaders(operation, method, 304),
    }
  return mode === 'read' ? responses : withDryRun(responses, operation, method, schemas)
}

const dryRunText = 'With `dryRun=true`: what the request would have answered; nothing is stored.'

/** A dry run answers 200, whatever the write itself answers. */
function withDryRun(
  responses: Record<string, Response>,
  operation: Operation,
  method: string,
  schemas: Components,
): Record<string, Response> {
  const written = responses['200']
  const dryRun = dryRunSchema(operation.reply.schema)
  if (!written)
    responses['200'] = {
      description: dryRunText,
      headers: replyHeaders(operation, method, 200),
      content: replyContent(dryRun, schemas),
    }
  else {
    written.description = `${written.description} ${dryRunText}`
    written.content = replyContent({ anyOf: [operation.reply.schema ?? {}, dryRun] }, schemas)
  }
  return responses
}

function dryRunSchema(would: Schema = { type: 'null' }): Schema {
  return {
    type: 'object',
    title: 'dry run',
    properties: {
      would,
      warnings: { type: 'array', items: {} },
      touches: { type: 'object', description: 'What else would change, and how much of it.' },
    },
    required: ['would', 'warnings'],
  }
}
