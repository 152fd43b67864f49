import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Form, FormPart } from '../../kernel/operation.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** The time in ms that a client may go on sending after it was answered, before the connection is closed. */
const maxSendingAfterReply = 5000

/** Adds a route that takes a form, in a Fastify scope of its own, so that no other route accepts forms or pays for them. */
export function mountForm(app: FastifyInstance, route: RouteOptions, media?: string): void {
  app.register(async scope => {
    if (media) scope.removeAllContentTypeParsers()
    else
      await scope.register(multipart, {
        throwFileSizeLimit: false,
        limits: { files: 20, fields: 50, parts: 60, fieldSize: 100_000, fileSize: Number.POSITIVE_INFINITY },
      })
    scope.addContentTypeParser('*', (_request, _body, done) => done(null)) // refused by `readForm`, after authentication
    scope.addHook('onResponse', (request, _reply, done) => {
      drain(request)
      done()
    })
    scope.route({ ...route, config: { slowBody: true } })
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may take as long as a request may. */
    slowBody?: boolean
  }
}

/** Yields the parts of the form in order; a file must be read, or given up by an error, before the next part. */
export async function* readForm(
  request: FastifyRequest,
  { media, optional }: Pick<Form, 'media' | 'optional'>,
): AsyncGenerator<FormPart> {
  if (optional && !hasBody(request)) return
  if (media) {
    if (!request.headers['content-type']?.toLowerCase().startsWith(media))
      throw new Refusal(415, 'unsupported-media-type', `the body must be of the type ${media}`)
    yield { name: 'file', fileName: '', bytes: wellFormed<Buffer>(request.raw) }
    return
  }
  if (!request.isMultipart()) {
    throw new Refusal(415, 'unsupported-media-type', 'the body must be a form: multipart/form-data')
  }
  for await (const part of wellFormed(request.parts())) {
    if (part.type === 'file') {
      yield { name: part.fieldname, fileName: part.filename ?? '', bytes: wellFormed<Buffer>(part.file) }
    } else {
      yield { name: part.fieldname, text: typeof part.value === 'string' ? part.value : JSON.stringify(part.value) }
    }
  }
}

async function* wellFormed<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    const tooMuch = error instanceof Error && 'statusCode' in error && error.statusCode === 413
    if (tooMuch) throw new Refusal(413, 'too-large', 'the form has more parts than this address accepts')
    throw new BrokenForm()
  }
}

/** The form is not well formed, or the connection was lost. */
export class BrokenForm extends Refusal {
  constructor() {
    super(400, 'malformed-form', 'the form is not well formed, or ended too early')
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** A client reads a refusal only if the server goes on reading the body, which therefore is limited in time. */
function drain({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return
  raw.unpipe()
  raw.resume()
  const timeout = setTimeout(() => raw.destroy(), maxSendingAfterReply).unref()
  raw.once('end', () => clearTimeout(timeout))
}
