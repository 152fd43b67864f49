import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access.ts'
import type { Database } from '../database.ts'
import type { Operation, Reopen, Reply } from '../operation.ts'
import { header } from './request-input.ts'

/** Writes the answer of an operation as an HTTP reply. */
export function sendReply(
  reply: FastifyReply,
  operation: Operation,
  answer: Reply,
  request: FastifyRequest,
  reopen: Reopen,
) {
  reply.code(answer.status ?? operation.reply.status)
  if (answer.headers) reply.headers(answer.headers)
  if (operation.unrepeatable) reply.header('cache-control', 'no-store')
  if (answer.version !== undefined) {
    const etag = `"v${answer.version}"`
    reply.header('etag', etag)
    if (request.method === 'GET' && header(request, 'if-none-match').includes(etag)) return reply.code(304).send()
  }
  if (/\breturn=minimal\b/.test(header(request, 'prefer')) && operation.mode !== 'read')
    return reply.header('preference-applied', 'return=minimal').send()
  if (answer.bytes) return reply.send(request.method === 'HEAD' ? Readable.from([]) : answer.bytes())
  if (answer.stream) {
    if (!answer.headers?.['content-type']) reply.type('application/json; charset=utf-8')
    return reply.send(request.method === 'HEAD' ? '' : Readable.from(answer.stream(reopen), { objectMode: false }))
  }
  if (answer.text === undefined && answer.body === undefined) return reply.send()
  reply.type('application/json; charset=utf-8')
  return reply.send(Buffer.from(answer.text ?? JSON.stringify(answer.body))) // a text would be copied once more
}

/** Removes what is hidden from the caller. A streamed list is collected first, because only whole JSON can be redacted. */
export async function redacted({ services, single }: Database, caller: Caller, answer: Reply): Promise<Reply> {
  const { redaction } = services
  if (!redaction.hidesAnything(caller)) return answer
  const { body, text, stream, ...rest } = answer
  const shown = (json: string) => single(caller, ctx => redaction.redactText(ctx, json))
  if (stream)
    return {
      ...rest,
      async *stream(reopen) {
        const parts: string[] = []
        for await (const part of stream(reopen)) parts.push(part)
        yield await shown(parts.join(''))
      },
    }
  return {
    ...rest,
    ...(text === undefined ? {} : { text: await shown(text) }),
    ...(body === undefined ? {} : { body: await single(caller, ctx => redaction.redact(ctx, body)) }),
  }
}
