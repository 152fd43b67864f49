import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Caller, may, maySomewhere } from './access.ts'
import type { Context, ContextOptions } from './context.ts'
import type { Database } from './database.ts'
import { formParts, mountForm } from './form.ts'
import { newId } from './id.ts'
import { idempotently } from './idempotency.ts'
import { parseJson, parseLines } from './json.ts'
import {
  collected,
  type Input,
  NeedsTransaction,
  type Operation,
  type Received,
  type Reopen,
  type Reply,
  type Routes,
} from './operation.ts'
import { notJson, protection, refuseUnreadable, sendProblem } from './problem.ts'
import type { Expect } from './record.ts'
import type { Redaction } from './redaction.ts'
import { Forbidden, fault, NotFound, Refusal } from './refusal.ts'

/** Given a route, what to tell each of its requests to: the status, and how many seconds it took. */
export type Observe = (method: string, route: string) => (status: number, took: number) => void

export interface HttpOptions {
  database: Database
  authenticate: (request: FastifyRequest) => Promise<Caller>
  baseUrl: () => string
  bodyLimit: number
  /** Told how each request of an operation went. */
  observe?: Observe
  /** Sends away whoever has asked too often. */
  rateLimit?: (caller: Caller, reply: FastifyReply) => void
  log: (line: Record<string, unknown>) => void
}

/** The web server with everything that every reply has: headers, problem bodies, parsers. */
export function openHttp(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: options.bodyLimit,
    requestTimeout: longestRequest,
    connectionTimeout: 120_000,
    keepAliveTimeout: 75_000,
    genReqId: () => newId(),
    logger: false,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...protection, 'x-request-id': request.id })
      void sendProblem(error, request, reply as FastifyReply, options)
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, options),
  })
  app.removeAllContentTypeParsers()
  const parser =
    (parse: (text: string) => unknown) =>
    (_request: FastifyRequest, body: string | Buffer, done: (error: Error | null, value?: unknown) => void) => {
      try {
        done(null, parse(textOf(Buffer.from(body))))
      } catch (error) {
        done(error as Error)
      }
    }
  const asJson = parser(parseJson)
  app.addContentTypeParser('application/x-ndjson', { parseAs: 'buffer' }, parser(parseLines))
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, asJson)
  app.addContentTypeParser(/^application\/[\w.!#$&^-]+\+json(;|$)/, { parseAs: 'buffer' }, asJson)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...protection, 'x-request-id': request.id })
    done()
  })
  app.addHook('preParsing', (request, reply, body, done) => {
    hurry(request, reply)
    done(null, body)
  })
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, options))
  app.setNotFoundHandler((request, reply) => sendProblem(new NotFound('address'), request, reply, options))
  return app
}

/** Bytes that are no UTF-8 would be stored as something else than was sent. */
function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw new Refusal(400, 'malformed', 'the body is not UTF-8')
  return body.toString()
}

/** How long a request may take to come in, with files in it and without; ms. */
const longestRequest = 3_600_000
const longestBody = 60_000

/** Whoever sends a plain body drop by drop is cut off; files may take as long as their line is slow. */
function hurry({ raw, routeOptions }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || raw.method === 'GET' || routeOptions.config.unhurried) return
  const late = setTimeout(() => raw.destroy(), longestBody)
  const came = () => clearTimeout(late)
  raw.once('end', came)
  reply.raw.once('close', came) // answered before it was read
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Puts operations on the air: each is authenticated, permitted, validated, run and answered in the same way. */
export function mount(app: FastifyInstance, routes: Routes, options: HttpOptions): void {
  const byPath = Map.groupBy(Object.entries(routes), ([route]) => route.split(' ')[1] ?? '')
  for (const [path, entries] of byPath) {
    const url = `/api${path}`
    const served = new Set<string>()
    for (const [route, operation] of entries) {
      const method = route.split(' ')[0] ?? ''
      served.add(method)
      const way = {
        method,
        url,
        handler: handlerOf(operation, route, options),
        ...(operation.body?.limit ? { bodyLimit: operation.body.limit } : {}),
      }
      if (operation.form) mountForm(app, way, operation.form.media)
      else app.route(way)
    }
    if (served.has('GET')) served.add('HEAD')
    const allow = [...served].join(', ')
    const rest = [...methods, 'OPTIONS'].filter(method => !served.has(method))
    app.route({
      method: rest,
      url,
      handler: async () => {
        throw new Refusal(405, 'method-not-allowed', `this address takes ${allow}`, { headers: { allow } })
      },
    })
  }
}

function handlerOf(operation: Operation, route: string, options: HttpOptions) {
  const { database, authenticate } = options
  const { redaction } = database.services
  const [method = '', path = ''] = route.split(' ')
  const observe = options.observe?.(method, `/api${path}`)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const began = performance.now()
    try {
      return await handle(request, reply)
    } catch (error) {
      sendProblem(error, request, reply, options)
      return reply
    } finally {
      // Told here and not in a hook for every answer: that would cost a read a tenth of its time.
      observe?.(reply.statusCode, (performance.now() - began) / 1000)
    }
  }

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const caller = await authenticate(request)
    options.rateLimit?.(caller, reply)
    if (!(operation.placed ? maySomewhere : may)(caller, operation.permission))
      throw new Forbidden(`this needs the permission ${operation.permission.name}`)
    refuseSuspended(caller, operation)
    const { form, admit } = operation
    if (admit) await database.single(caller, admit)
    const received = await form?.receive(formParts(request, form.media), database.services)
    try {
      return await answer(caller, request, reply, received)
    } catch (error) {
      if (error instanceof Refusal) Object.assign(error.extra, redaction.redact(caller, error.extra))
      throw error
    } finally {
      await received?.release()
    }
  }

  async function answer(caller: Caller, request: FastifyRequest, reply: FastifyReply, received: Received | undefined) {
    const input = readInput(operation, request, received)
    const more: ContextOptions = {
      strict: /\bhandling=strict\b/.test(header(request, 'prefer')),
      ...(operation.mode === 'read' ? {} : { changeSet: newId() }),
    }
    const run = (ctx: Context) => operation.run(ctx, input)
    const dryRun = operation.mode !== 'read' && input.query.dryRun === 'true'
    const key = request.method === 'POST' ? header(request, 'idempotency-key') : ''
    let answer: Reply
    if (dryRun) answer = await dryRunOf(database, caller, run, more)
    else if (key)
      answer = await database.transaction(
        caller,
        ctx => idempotently(ctx, { key, route, operation, url: request.url, body: input.raw }, run),
        more,
      )
    else if (operation.mode === 'write') answer = await database.transaction(caller, run, more)
    else
      answer = await database
        .single(caller, run, more)
        .catch(error => again(error, () => database.transaction(caller, run, more)))
    if (answer.takeOver) return answer.takeOver({ request, reply, caller, operation })
    if (more.changeSet) reply.header('change-set', answer.headers?.['change-set'] ?? more.changeSet)
    return send(reply, operation, redacted(redaction, caller, answer), request, (work, as) =>
      (as === 'transaction' ? database.transaction : database.single)(caller, work, more),
    )
  }
}

/** Of a tenant that is suspended everything can be read, and nothing changed. */
function refuseSuspended({ tenantStatus = 0 }: Caller, { mode }: Operation): void {
  if (tenantStatus === 0 || mode === 'read') return
  throw tenantStatus === 1
    ? new Refusal(403, 'tenant-suspended', 'the tenant is suspended: it can be read and not changed')
    : new Refusal(403, 'tenant-closing', 'the tenant is closing: it can be exported and not changed')
}

/** The answer without what is hidden from the caller. A list is gathered for that: it is whole only at its end. */
function redacted(redaction: Redaction, caller: Caller, answer: Reply): Reply {
  if (!redaction.hidesAnything(caller)) return answer
  const { body, text, stream, ...rest } = answer
  if (stream)
    return {
      ...rest,
      async *stream(reopen) {
        const parts: string[] = []
        for await (const part of stream(reopen)) parts.push(part)
        yield redaction.redactText(caller, parts.join(''))
      },
    }
  return {
    ...rest,
    ...(text === undefined ? {} : { text: redaction.redactText(caller, text) }),
    ...(body === undefined ? {} : { body: redaction.redact(caller, body) }),
  }
}

async function again(error: unknown, inTransaction: () => Promise<Reply>): Promise<Reply> {
  if (error instanceof NeedsTransaction) return await inTransaction()
  throw error
}

class DryRun extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super('dry run')
    this.reply = reply
  }
}

/** Everything as if for real, then nothing of it stays. */
async function dryRunOf(
  database: Database,
  caller: Caller,
  run: (ctx: Context) => Promise<Reply>,
  more: ContextOptions,
): Promise<Reply> {
  try {
    return await database.transaction(
      caller,
      async ctx => {
        throw new DryRun(await collected(await run(ctx), ctx))
      },
      more,
    )
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
    const { body, text, dryRun } = error.reply
    const would = text === undefined ? (body ?? null) : JSON.parse(text)
    return { status: 200, body: { would, warnings: [], ...dryRun } }
  }
}

function readInput(operation: Operation, request: FastifyRequest, received: Received | undefined): Input {
  const raw = received ? received.identity : request.body
  if (operation.body && raw === undefined)
    throw new Refusal(400, 'validation', 'a JSON body is expected', {
      faults: [fault([], 'required', 'a JSON body is expected')],
    })
  if (header(request, 'content-type').startsWith('application/x-ndjson') && !operation.body?.lines && !operation.form)
    throw notJson()
  if (operation.mustMatch && header(request, 'if-match') === '')
    throw new Refusal(428, 'if-match-required', 'say in If-Match which version was read; its ETag came with it')
  const path = request.url.split('?', 1)[0] ?? ''
  return {
    path,
    params: (request.params ?? {}) as Record<string, string>,
    query: storable(request.query as Record<string, unknown>),
    body: received ? received.body : operation.body?.read(raw),
    raw,
    expect: readIfMatch(header(request, 'if-match')),
    headers: request.headers,
  }
}

function storable(query: Record<string, unknown>): Record<string, unknown> {
  for (const [key, value] of Object.entries(query)) {
    if (/\0/.test(key) || [value].flat().some(each => /\0/.test(String(each)) || !String(each).isWellFormed())) {
      throw new Refusal(400, 'validation', 'the query is not valid', {
        faults: [fault([key.replaceAll('\0', '')], 'unstorable-text', 'holds a character that cannot be stored')],
      })
    }
  }
  return query
}

function readIfMatch(text: string): Expect {
  if (text === '' || text.trim() === '*') return undefined
  return [...text.matchAll(/"v(\d{1,9})"/g)].map(match => Number(match[1]))
}

export function header(request: FastifyRequest, key: string): string {
  const value = request.headers[key]
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}

function send(reply: FastifyReply, operation: Operation, answer: Reply, request: FastifyRequest, reopen: Reopen) {
  reply.code(answer.status ?? operation.reply.status)
  if (answer.headers) reply.headers(answer.headers)
  if (operation.unrepeatable) reply.header('cache-control', 'no-store')
  if (answer.version !== undefined) {
    const etag = `"v${answer.version}"`
    reply.header('etag', etag)
    if (request.method === 'GET' && header(request, 'if-none-match').includes(etag)) return reply.code(304).send()
  }
  if (/\breturn=minimal\b/.test(header(request, 'prefer')) && request.method !== 'GET')
    return reply.header('preference-applied', 'return=minimal').send()
  if (answer.bytes) return reply.send(request.method === 'HEAD' ? Readable.from([]) : answer.bytes())
  if (answer.stream) {
    if (!answer.headers?.['content-type']) reply.type('application/json; charset=utf-8')
    return reply.send(request.method === 'HEAD' ? '' : Readable.from(answer.stream(reopen), { objectMode: false }))
  }
  if (answer.text === undefined && answer.body === undefined) return reply.send()
  reply.type('application/json; charset=utf-8')
  return reply.send(answer.text ?? JSON.stringify(answer.body))
}
